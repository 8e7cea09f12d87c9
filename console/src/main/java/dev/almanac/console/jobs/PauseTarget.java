package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.model.PauseScope;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which jobs are held back: some, or all of a kind, later ones included. A mixin of {@code pause} and {@code resume}. */
public final class PauseTarget {
    @Mixin
    private JobSelectionOptions jobs;

    @Option(names = "--tag", paramLabel = "TAG", description = "all jobs that carry this tag, later ones included")
    private @Nullable String tag;

    @Option(names = "--type", paramLabel = "TYPE", description = "all jobs with this command type")
    private @Nullable String type;

    /** For picocli. */
    public PauseTarget() {}

    /** @throws InvalidInputException unless exactly one is named */
    void check() {
        JobSelectionOptions.refuseEmpty("--tag", tag);
        JobSelectionOptions.refuseEmpty("--type", type);
        long named = Stream.of(!jobs.isNone(), tag != null, type != null)
                .filter(is -> is)
                .count();
        if (named != 1) {
            throw new InvalidInputException(
                    "which jobs? Name one of KEY, --where-..., --tag TAG, --type TYPE and --all");
        }
        if (!jobs.isNone()) {
            jobs.check();
        }
        if (jobs.isDryRun() && (jobs.isNone() || jobs.isAll())) {
            throw new InvalidInputException("--dry-run is for KEYs and --where-...; it has no use with --tag, --type"
                    + " and --all, since one pause then holds for all");
        }
    }

    /** What one pause holds back: a kind of jobs, or a single job; absent if each of several jobs has a pause of its own. */
    @Nullable
    PauseScope scope() {
        if (jobs.isAll()) {
            return PauseScope.everything();
        } else if (tag != null) {
            return PauseScope.tag(tag);
        } else if (type != null) {
            return PauseScope.commandType(type);
        }
        String key = jobs.single();
        return key == null ? null : PauseScope.job(key);
    }

    /**
     * @throws InvalidInputException if nothing is there that the pause would hold, as if its name were misspelt, unless
     *     that is confirmed
     */
    void refuseUnknown(Scheduler scheduler, PauseScope scope) {
        if (!(scope instanceof PauseScope.Job) && !jobs.isConfirmed() && !scheduler.isKnown(scope)) {
            throw new InvalidInputException("nothing was paused: there is no "
                    + scope.words().replace("every ", "") + "; --yes pauses those that will come");
        }
    }

    /** The jobs of which each has a pause of its own. */
    JobSelectionOptions jobs() {
        return jobs;
    }
}
