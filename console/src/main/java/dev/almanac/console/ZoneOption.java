package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.FindScope;
import dev.almanac.model.Job;
import dev.almanac.store.DamagedJobException;
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

    /** @param key of the single job that the command is about; absent = it is about none, or about many */
    final ZoneId orOf(Scheduler scheduler, @Nullable String key) {
        return zone == null ? of(scheduler, key) : zone;
    }

    /** The zone of a job, also if it has finished; UTC if there is none, or it cannot be read, as what follows says. */
    static ZoneId of(Scheduler scheduler, @Nullable String key) {
        try {
            return key == null
                    ? ZoneOffset.UTC
                    : scheduler
                            .findJobById(key, FindScope.INCLUDING_FINISHED)
                            .map(JobAnswer::zoneOf)
                            .orElse(ZoneOffset.UTC);
        } catch (DamagedJobException reportedLater) {
            return ZoneOffset.UTC;
        }
    }
}
