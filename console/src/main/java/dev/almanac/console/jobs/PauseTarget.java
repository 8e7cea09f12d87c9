package dev.almanac.console.jobs;

import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.model.PauseScope;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which jobs are held back: one, or all of a kind. A mixin of {@code pause} and {@code resume}. */
public final class PauseTarget {
    @Parameters(index = "0", arity = "0..1", paramLabel = "KEY", description = "one job, by its key")
    private @Nullable String key;

    @Option(names = "--tag", paramLabel = "TAG", description = "all jobs that carry this tag, later ones included")
    private @Nullable String tag;

    @Option(names = "--type", paramLabel = "TYPE", description = "all jobs with this command type")
    private @Nullable String type;

    @Option(names = "--all", description = "all jobs")
    private boolean all;

    /** For picocli. */
    public PauseTarget() {}

    /** @throws InvalidInputException unless exactly one is named */
    PauseScope scope() {
        long named = Stream.of(key != null, tag != null, type != null, all)
                .filter(is -> is)
                .count();
        if (named != 1) {
            throw new InvalidInputException("which jobs? Name one of KEY, --tag TAG, --type TYPE and --all");
        }
        if (all) {
            return PauseScope.everything();
        }
        if (tag != null) {
            return PauseScope.tag(tag);
        }
        return type == null ? PauseScope.job(String.valueOf(key)) : PauseScope.commandType(type);
    }
}
