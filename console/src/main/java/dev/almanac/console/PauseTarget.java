package dev.almanac.console;

import dev.almanac.model.PauseScope;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which jobs are held back: some, or all of a kind, later ones included. A mixin of {@code pause} and {@code resume}. */
final class PauseTarget extends JobSelectionOptions {
    @Option(names = "--tag", paramLabel = "TAG", description = "all jobs that carry this tag, later ones included")
    private @Nullable String tag;

    @Option(names = "--type", paramLabel = "TYPE", description = "all jobs with this command type")
    private @Nullable String type;

    /** @throws InvalidInputException unless exactly one is named */
    @Override
    void check() {
        long named =
                Stream.of(!isNone(), tag != null, type != null).filter(is -> is).count();
        InvalidInputException.when(
                named != 1, "which jobs? Name one of KEY, --where-..., --tag TAG, --type TYPE and --all");
        if (!isNone()) {
            super.check();
        }
        InvalidInputException.when(
                (confirmation().isExpectedGiven() || isContinued()) && (isNone() || isAll()),
                "--expect and --after are for KEYs and --where-...; --tag, --type and --all have one pause for all");
        if (confirmation().isDryRun() && (isNone() || isAll())) {
            throw new InvalidInputException("--dry-run is for KEYs and --where-...; it has no use with --tag, --type"
                    + " and --all, since one pause then holds for all");
        }
    }

    /** What one pause holds back: a kind of jobs, or a single job; absent if each of several jobs has a pause of its own. */
    @Nullable
    PauseScope scope() {
        if (isAll()) {
            return PauseScope.everything();
        } else if (tag != null) {
            return PauseScope.tag(tag);
        } else if (type != null) {
            return PauseScope.commandType(type);
        }
        String key = single();
        return key == null ? null : PauseScope.job(key);
    }
}
