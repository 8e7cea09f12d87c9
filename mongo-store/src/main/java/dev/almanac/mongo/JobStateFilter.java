package dev.almanac.mongo;

import com.mongodb.client.model.Filters;
import dev.almanac.model.JobState;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/** The derivation of {@link JobState} as filters; the same as {@code StoredJob.stateAt}, which the store contract compares. */
final class JobStateFilter {
    private JobStateFilter() {}

    /** A field that is null, which only a person stores, is absent, as it is for {@link Fields}. */
    static Bson absent(String field) {
        return Filters.eq(field, null);
    }

    static Bson present(String field) {
        return Filters.ne(field, null);
    }

    /**
     * Jobs in a state.
     *
     * @param pauses all that stand
     */
    static Bson of(JobState state, Instant now, Collection<StandingPause> pauses) {
        Bson over = Filters.lte("lease.until", Date.from(now));
        Bson held = Filters.gt("lease.until", Date.from(now));
        Bson free = absent("lease");
        Bson following = Filters.eq("phase", Phase.FOLLOW.name());
        Bson owing = Filters.eq("phase", Phase.FAILURE.name());
        Bson retrying = Filters.gt("attempts", 0);
        Bson ready = Filters.and(free, not(blocked()), not(paused(now, pauses)));
        return switch (state) {
            case SUCCEEDED ->
                finished(Filters.nin("lastStatus.executionStatus", JobState.FAILED.name(), JobState.CANCELED.name()));
            case FAILED, CANCELED -> finished(Filters.eq("lastStatus.executionStatus", state.name()));
            case RECOVERING -> live(over);
            case RUNNING -> live(held, not(following), running());
            case CLAIMED -> live(held, not(following), not(running()));
            case BLOCKED -> live(free, blocked());
            case PAUSED -> live(free, not(blocked()), paused(now, pauses));
            case STORING_FOLLOW_UPS -> live(following, Filters.or(held, ready));
            case OWING -> live(ready, owing);
            case RETRYING -> live(ready, not(following), not(owing), retrying);
            case SCHEDULED -> live(ready, not(following), not(owing), not(retrying));
        };
    }

    private static Bson live(Bson... parts) {
        List<Bson> all = new ArrayList<>(List.of(parts));
        all.add(absent("deleteTime"));
        return Filters.and(all);
    }

    private static Bson finished(Bson how) {
        return Filters.and(present("deleteTime"), DocumentReader.KEPT, how);
    }

    private static Bson not(Bson filter) {
        return Filters.nor(filter);
    }

    private static Bson blocked() {
        return present("blocked");
    }

    /** Its helper is known to have been called under the present claim. */
    private static Bson running() {
        return Filters.or(
                present(Changes.PROGRESS + ".at"),
                Filters.expr(new Document("$eq", List.of("$startedSeq", "$claimSeq"))),
                Filters.and(
                        Filters.eq("lastStatus.outcome", "TIMED_OUT"),
                        Filters.expr(new Document("$eq", List.of("$lastStatus.claimSeq", "$claimSeq")))));
    }

    private static Bson paused(Instant now, Collection<StandingPause> pauses) {
        List<Bson> any = new ArrayList<>();
        any.add(Filters.and(
                present("paused"),
                Filters.not(Filters.gt("paused.from", Date.from(now))),
                Filters.or(Filters.eq("paused.until", null), Filters.gt("paused.until", Date.from(now)))));
        pauses.stream()
                .filter(pause -> pause.isInForce(now))
                .map(StandingPause::scope)
                .forEach(scope -> {
                    if (scope instanceof PauseScope.Tag tag) {
                        any.add(Filters.eq("tags", tag.tag()));
                    } else if (scope instanceof PauseScope.CommandType type) {
                        any.add(Filters.eq("type", type.type()));
                    } else if (scope instanceof PauseScope.Everything) {
                        any.add(new Document());
                    }
                });
        return Filters.or(any);
    }
}
