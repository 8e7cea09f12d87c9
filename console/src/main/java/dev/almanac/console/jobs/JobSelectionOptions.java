package dev.almanac.console.jobs;

import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which jobs are changed: those of some keys, or all live ones of a kind. A mixin of the commands that change jobs. */
final class JobSelectionOptions {
    private static final int PAGE = 1_000;

    @Parameters(arity = "0..*", paramLabel = "KEY", description = "the keys of the jobs; all of a kind: --where-...")
    private @Nullable List<String> keys;

    @Option(names = "--where-tag", paramLabel = "TAG", description = "all live jobs that carry this tag")
    private @Nullable String tag;

    @Option(names = "--where-type", paramLabel = "TYPE", description = "all live jobs with this command type")
    private @Nullable String type;

    @Option(names = "--where-application", paramLabel = "TAG", description = "all live jobs of this application")
    private @Nullable String application;

    @Option(names = "--where-requestor", paramLabel = "ID", description = "all live jobs of this requestor")
    private @Nullable String requestor;

    @Option(
            names = "--where-key-prefix",
            paramLabel = "TEXT",
            description = "all live jobs whose key begins with this text")
    private @Nullable String prefix;

    @Option(
            names = "--after",
            paramLabel = "KEY",
            description = "with --where-..., only jobs whose key comes after this one: continues what was interrupted")
    private @Nullable String after;

    @Option(names = "--dry-run", description = "only show what would happen")
    private boolean dryRun;

    /** @throws InvalidInputException unless either keys or a kind are named */
    void check() {
        if (isNone() || !keys().isEmpty() && isKind()) {
            throw new InvalidInputException("which jobs? Give their KEYs, or options such as --where-tag night;"
                    + " a job must match all of them");
        }
        if (after != null && !isKind()) {
            throw new InvalidInputException("--after continues a change of all jobs of a kind; it needs --where-...");
        }
    }

    boolean isNone() {
        return keys().isEmpty() && !isKind();
    }

    boolean isDryRun() {
        return dryRun;
    }

    /** The key, if only one is named, and it is to be changed. */
    @Nullable
    String single() {
        return keys().size() == 1 && !dryRun ? keys().get(0) : null;
    }

    /** What was named; {@link #check} comes first. */
    JobSelection selection() {
        return isKind()
                ? JobSelection.matching(
                        new JobQuery(requestor, tag, application, null, prefix, type, null, null, after, PAGE))
                : new JobSelection.Keys(keys());
    }

    private List<String> keys() {
        return keys == null ? List.of() : keys;
    }

    private boolean isKind() {
        return Stream.of(tag, type, application, requestor, prefix).anyMatch(Objects::nonNull);
    }
}
