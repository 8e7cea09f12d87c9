package dev.almanac.console;

import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Jobs that match all of some properties. A mixin of the commands that list or change such jobs. */
final class JobFilter {
    private static final Set<String> OTHERS = Set.of("--after", "--tag", "--type");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

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

    /** Refuses empty texts, also of other options of the command that select jobs. */
    void check() {
        command.options().stream()
                .filter(option -> option.longestName().startsWith("--where-") || OTHERS.contains(option.longestName()))
                .forEach(option -> refuseEmpty(option.longestName(), option.getValue()));
    }

    /** Of a shell variable that is not set: it must not select every job. */
    static void refuseEmpty(String option, @Nullable Object text) {
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
