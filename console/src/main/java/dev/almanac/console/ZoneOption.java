package dev.almanac.console;

import dev.almanac.model.Job;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The zone of a command. A mixin. */
class ZoneOption {
    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "zone of the times read and shown (default: the job's for a single job, else UTC)")
    private @Nullable ZoneId zone;

    final ZoneId orUtc() {
        return zone == null ? ZoneOffset.UTC : zone;
    }

    final ZoneId orOf(Job job) {
        return zone == null ? JobAnswer.zoneOf(job) : zone;
    }
}
