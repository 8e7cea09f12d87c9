package dev.almanac.console;

import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A {@link JobKind} whose jobs are listed or changed in the order of their keys. A mixin. */
final class JobFilter extends JobKind {
    @Option(
            names = "--after",
            paramLabel = "KEY",
            description =
                    "only jobs whose key comes after this one: continues a list, or a change that was interrupted")
    private @Nullable String after;

    boolean isContinued() {
        return after != null;
    }

    @Override
    JobQuery query(@Nullable JobState state, @Nullable Instant nextFrom, @Nullable Instant nextUntil, int limit) {
        return super.query(state, nextFrom, nextUntil, limit).after(after);
    }
}
