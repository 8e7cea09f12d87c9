package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.HostName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = {
            "Stores the jobs that a file declares, and starts a node of its own. Several may run at once and share the jobs.",
            "Stored jobs of the file's application that are not in the file are cancelled.",
            "The node runs the due jobs of type log, which prints a line, and with --allow-shell of type shell, which starts"
                    + " a program: all in this database, of any application."
        })
final class RunCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FILE", description = "the declared jobs, HOCON or JSON")
    private Path path;

    @Option(
            names = "--allow-shell",
            description = "also start programs: anyone who may write to the database decides which")
    private boolean allowShell;

    @Option(names = "--label", paramLabel = "TEXT", description = "the name of this node in lists")
    private @Nullable String label;

    @Option(names = "--for", paramLabel = "TIME", description = "stop after this time, such as 10m")
    private @Nullable Duration lasting;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            description =
                    "how long runs may take to end when the node stops (default: drain-timeout of the file, else 30s)")
    private @Nullable Duration drain;

    @Option(
            names = "--pass",
            paramLabel = "NAME",
            description =
                    "a variable of this environment that programs get, beside PATH, HOME and LANG; may be repeated")
    private List<String> passed = List.of();

    @Option(
            names = "--allow-mass-cancel",
            description = "it may cancel all stored jobs of the application, or more than half of ten or more")
    private boolean allowMassCancel;

    @Mixin
    private ChangeSession session;

    /**
     * The command of type {@code log}: a line is printed.
     *
     * @param message what is printed beside the job's key; may be absent
     */
    record LogLine(@Nullable String message) implements SchedulingCommand {}

    private final ProcessEnvironment process;
    private Declaration declared;

    RunCommand(ProcessEnvironment process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        declared = Declaration.of(JobsFile.read(path), allowShell ? List.of("log", "shell") : List.of("log"));
        return session.opened(
                where -> where.open(
                        declared.settings().uri(), declared.settings().store()),
                access -> {
                    run(access);
                    return 0;
                });
    }

    private void run(StoreAccess access) {
        Scheduler scheduler = access.scheduler(node());
        ReconcileResult result = declared.withoutPassed(scheduler, access::now, session.out())
                .apply(
                        session.sign(scheduler),
                        ReconcileOptions.DEFAULT.allowMassCancel(allowMassCancel),
                        planned -> {});
        session.out().node(stored(result, access));
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread onSignal = new Thread(() -> endOn(stop, ended), "almanac-end");
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            scheduler.start();
            String types = allowShell ? "types log and shell" : "type log";
            session.out()
                    .node("this node runs the due jobs of " + types
                            + " in this database, of any application; Ctrl-C ends it");
            await(stop, lasting);
            end(scheduler);
        } finally {
            ended.countDown();
            forget(onSignal);
        }
    }

    private String stored(ReconcileResult result, StoreAccess access) {
        int jobs = result.created().size()
                + result.updated().size()
                + result.unchanged().size();
        return declared.file().name() + ": " + jobs + " jobs are stored in " + access.place()
                + (result.canceled().isEmpty()
                        ? ""
                        : "; cancelled, since the file does not have them: " + String.join(", ", result.canceled()));
    }

    private SchedulerBuilder node() {
        SchedulerBuilder builder = Scheduler.builder().label("almanac run on " + HostName.ofProcess());
        declared.settings().applyTo(builder);
        if (label != null) {
            builder.label(label);
        }
        builder.command("log", 1, LogLine.class, (line, run) -> session.out().run(run, line.message()));
        return allowShell
                ? builder.command("shell", 1, ShellHelper.ShellCommand.class)
                        .helper(new ShellHelper(session.out(), process.environment(), passed))
                : builder;
    }

    /** Waits until the process is asked to end, or for a time. */
    static void await(CountDownLatch stop, @Nullable Duration lasting) {
        try {
            if (lasting == null) {
                stop.await();
            } else {
                stop.await(lasting.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException asked) {
            // to end, as by a signal
        }
    }

    private void end(Scheduler scheduler) {
        int runs = scheduler.node().runs();
        session.out().node(runs == 0 ? "ending" : "ending; runs in progress: " + runs);
        try {
            scheduler.drain(patience());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted before all runs had ended", e);
        }
        session.out().node("ended");
    }

    /** The process goes on until the runs have ended. */
    private void endOn(CountDownLatch stop, CountDownLatch ended) {
        stop.countDown();
        try {
            ended.await(patience().plusSeconds(10).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration patience() {
        return drain == null ? declared.settings().drainTimeout() : drain;
    }

    private static void forget(Thread onSignal) {
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException alreadyEnding) {
            // it is running, and sees that all has ended
        }
    }
}
