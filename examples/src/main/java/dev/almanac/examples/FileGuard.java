package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A file counts as complete once it has not changed for a while. Each change schedules the guard again, which moves it; there is
 * no moment without one. If the file is being read at that moment, the reading goes on, and the file is read once more when it
 * was quiet.
 */
public final class FileGuard {
    final List<String> read = new CopyOnWriteArrayList<>();

    record ReadFile(String file) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName("files")
                .command("read-file", 1, ReadFile.class, (file, run) -> read.add(file.file()));
    }

    static String key(String file) {
        return "guard-" + file;
    }

    /**
     * The file has changed.
     *
     * @param quiet how long it must stay as it is
     */
    static void changed(Scheduler scheduler, String file, Instant now, Duration quiet) {
        scheduler.scheduleJob(JobSpecification.oneOff(key(file), now.plus(quiet), new ReadFile(file)));
    }

    /** A file that changes twice and is then left alone for a second. */
    public static void main(String[] arguments) {
        FileGuard example = new FileGuard();
        Consumer<Scheduler> twice = scheduler -> {
            Duration quiet = Duration.ofSeconds(1);
            changed(scheduler, "orders.csv", Instant.now(), quiet);
            changed(scheduler, "orders.csv", Instant.now(), quiet);
        };
        Example.run(arguments, example::parts, twice, scheduler -> Example.awaitEnd(scheduler, key("orders.csv")));
        System.out.println("read: " + example.read);
    }
}
