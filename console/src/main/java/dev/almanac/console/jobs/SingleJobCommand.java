package dev.almanac.console.jobs;

import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Job;
import java.time.ZoneId;
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
}
