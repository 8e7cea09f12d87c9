package dev.almanac.console.jobs;

import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Job;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command about one job. */
abstract class SingleJobCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "KEY", description = "the job's key")
    private String key;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "zone of the times shown (default: the job's, and UTC)")
    private @Nullable String zone;

    @Override
    protected void check() {
        zone();
    }

    final String key() {
        return key;
    }

    final @Nullable ZoneId zone() {
        return zone == null ? null : Times.zone(zone);
    }

    final ZoneId zoneFor(Job job) {
        ZoneId given = zone();
        return given == null ? JobLines.zoneOf(job) : given;
    }

    /** Reports a changed job: one sentence, or the job as it is now. */
    final int changed(Output out, Job job, String sentence) {
        if (out.isJson()) {
            out.json(JobAnswer.of(job, List.of()));
        } else {
            out.line(sentence);
        }
        return 0;
    }

    final String nextFire(Job job) {
        return job.nextFireTime() == null
                ? "there is no next fire"
                : "next fire " + Times.both(job.nextFireTime(), zoneFor(job));
    }
}
