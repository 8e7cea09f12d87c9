package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.PostponeException;
import dev.almanac.helper.SkipException;
import dev.almanac.retry.RetryPolicy;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ThrownResultTest {
    private static RunResult putOff(RunResult.Kind kind, Throwable error) {
        RunResult plain = new RunResult(
                kind,
                NOW.minusSeconds(5),
                NOW,
                null,
                null,
                null,
                null,
                new RunResult.Left(null, "half way", null, null));
        return ThrownResult.putOff(plain, error);
    }

    private static Instant until(Instant wanted) {
        return putOff(RunResult.Kind.POSTPONED, new PostponeException(wanted, "later"))
                .left()
                .until();
    }

    @Test
    @DisplayName("8: what a stage wraps is unwrapped, however often; a cancellation is what it is")
    void unwrapped() {
        SkipException skip = new SkipException("holiday");
        assertThat(ThrownResult.unwrap(new CompletionException(new CompletionException(skip))))
                .isSameAs(skip);
        assertThat(ThrownResult.unwrap(skip)).isSameAs(skip);
        CancellationException canceled = new CancellationException();
        assertThat(ThrownResult.unwrap(canceled)).isSameAs(canceled);
        CompletionException bare = new CompletionException("bare", null);
        assertThat(ThrownResult.unwrap(bare)).isSameAs(bare);
    }

    @Test
    @DisplayName("8: each exception has its meaning; others fail the attempt")
    void kinds() {
        assertThat(ThrownResult.kind(new SkipException("s"))).isEqualTo(RunResult.Kind.SKIPPED);
        assertThat(ThrownResult.kind(new PostponeException(NOW, "p"))).isEqualTo(RunResult.Kind.POSTPONED);
        assertThat(ThrownResult.kind(new NonRetryableException("n"))).isEqualTo(RunResult.Kind.FAILED_FOR_GOOD);
        assertThat(ThrownResult.kind(new IllegalStateException("e"))).isEqualTo(RunResult.Kind.FAILED);
    }

    @Test
    @DisplayName("8: a fire is put off for a second at least and a hundred years at most, in milliseconds")
    void bounded() {
        assertThat(until(NOW.plusSeconds(60).plusNanos(5))).isEqualTo(NOW.plusSeconds(60));
        assertThat(until(NOW.minusSeconds(60))).isEqualTo(NOW.plusSeconds(1));
        assertThat(until(Instant.MAX)).isEqualTo(NOW.plus(RetryPolicy.LONGEST));
    }

    @Test
    @DisplayName("8: reason and note go with the result; what failed keeps its own")
    void reasons() {
        RunResult skipped = putOff(RunResult.Kind.SKIPPED, new SkipException("x".repeat(2_000)));
        assertThat(skipped.left().reason()).hasSize(1_000);
        assertThat(skipped.left().note()).isEqualTo("half way");
        assertThat(skipped.left().until()).isNull();
        RunResult failed = putOff(RunResult.Kind.FAILED, new IllegalStateException("e"));
        assertThat(failed.left().reason()).isNull();
    }
}
