package dev.almanac.console;

import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Jobs that match all of some properties. A mixin of the commands that list or change such jobs. */
final class JobFilter {
    @Option(names = "--where-tag", paramLabel = "TAG", description = "jobs that carry this tag")
    private @Nullable String tag;

    @Option(names = "--where-type", paramLabel = "TYPE", description = "jobs with this command type")
    private @Nullable String type;

    @Option(names = "--where-application", paramLabel = "TAG", description = "jobs of this application")
    private @Nullable String application;

    @Option(names = "--where-requestor", paramLabel = "ID", description = "jobs of this requestor")
    private @Nullable String requestor;

    @Option(names = "--where-key-prefix", paramLabel = "TEXT", description = "jobs whose key begins with this text")
    private @Nullable String prefix;

    @Option(
            names = "--after",
            paramLabel = "KEY",
            description =
                    "only jobs whose key comes after this one: continues a list, or a change that was interrupted")
    private @Nullable String after;

    /** Whether a property is named. */
    boolean isGiven() {
        return Stream.of(tag, type, application, requestor, prefix).anyMatch(Objects::nonNull);
    }

    boolean isContinued() {
        return after != null;
    }

    /** Refuses empty texts. */
    void check() {
        refuseEmpty("--where-tag", tag);
        refuseEmpty("--where-type", type);
        refuseEmpty("--where-application", application);
        refuseEmpty("--where-requestor", requestor);
        refuseEmpty("--where-key-prefix", prefix);
        refuseEmpty("--after", after);
    }

    /** Of a shell variable that is not set: it must not select every job. */
    static void refuseEmpty(String option, @Nullable String text) {
        if ("".equals(text)) {
            throw new InvalidInputException(
                    option + " is empty, which selects nothing; leave it out if it is not meant");
        }
    }

    JobQuery query(int limit) {
        return query(null, null, null, limit);
    }

    JobQuery query(@Nullable JobState state, @Nullable Instant nextFrom, @Nullable Instant nextUntil, int limit) {
        return new JobQuery(requestor, tag, application, state, prefix, type, nextFrom, nextUntil, after, limit);
    }
}
