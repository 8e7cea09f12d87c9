package dev.almanac.console.jobs;

import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.model.JobQuery;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which jobs are changed: those of some keys, or all live ones of a kind. A mixin of {@code cancel} and {@code update}. */
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

    /** @throws InvalidInputException unless either keys or a kind are named */
    void check() {
        if (keys().isEmpty() == (query() == null)) {
            throw new InvalidInputException("which jobs? Give their KEYs, or options such as --where-tag night;"
                    + " a job must match all of them");
        }
    }

    /** The keys that were named. */
    List<String> keys() {
        return keys == null ? List.of() : keys;
    }

    /** The live jobs of a kind; absent if none was named. */
    @Nullable
    JobQuery query() {
        boolean any = Stream.of(tag, type, application, requestor, prefix).anyMatch(value -> value != null);
        return any ? new JobQuery(requestor, tag, application, null, prefix, type, null, null, null, PAGE) : null;
    }
}
