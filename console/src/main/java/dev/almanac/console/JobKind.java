package dev.almanac.console;

import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Jobs that match all of some properties. A mixin of the commands that are about such jobs. */
class JobKind {
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

    /** Whether a property is named. */
    final boolean isGiven() {
        return Stream.of(tag, type, application, requestor, prefix).anyMatch(Objects::nonNull);
    }

    final JobQuery query(int limit) {
        return query(null, null, null, limit);
    }

    JobQuery query(@Nullable JobState state, @Nullable Instant nextFrom, @Nullable Instant nextUntil, int limit) {
        return new JobQuery(requestor, tag, application, state, prefix, type, nextFrom, nextUntil, null, limit);
    }
}
