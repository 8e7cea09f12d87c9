package dev.almanac.console;

import dev.almanac.Health;
import dev.almanac.web.json.Answers;
import dev.almanac.web.read.ClusterHealth;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code almanac health}. Exit code 1 unless all is well. */
@Command(
        name = "health",
        description =
                "Shows the health of the database and its nodes: UP, DEGRADED or DOWN, with reasons. Exit code 1 unless UP.")
final class HealthCommand implements Callable<Integer> {
    @Mixin
    private Session session;

    @Override
    public Integer call() {
        return session.store(access -> {
            Health health = health(access);
            session.out().answer(Answers.health(health), out -> {
                out.state(health.state().name());
                health.reasons().forEach(out::line);
            });
            return health.state() == Health.State.UP ? 0 : 1;
        });
    }

    private static Health health(StoreAccess access) {
        try {
            return ClusterHealth.of(access.store(), access.scheduler());
        } catch (RuntimeException e) {
            RuntimeException cause = ConnectionErrors.explained(access, e);
            if (cause instanceof InvalidInputException || cause instanceof CommandFailedException) {
                return new Health(Health.State.DOWN, List.of(String.valueOf(cause.getMessage())));
            }
            throw e;
        }
    }
}
