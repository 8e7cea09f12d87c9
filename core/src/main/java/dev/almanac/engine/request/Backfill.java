package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.BackfillOrder;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.model.FindScope;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.time.CronDialect;
import dev.almanac.time.PlannedFire;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the fires of a past range once more: each becomes a one-off job of its own, planned at that past instant, with
 * the job's commands and policies and the tag {@value #TAG}. They run one after the other, like fires of one job, and
 * independently of the job itself, whose plan stays as it is.
 */
final class Backfill {
    private static final String TAG = BackfillOrder.TAG;
    private static final int MOST_FIRES = 10_000;

    private final Node node;
    private final Admission check;
    private final Registrar registrar;

    Backfill(Node node, Admission check, Registrar registrar) {
        this.node = node;
        this.check = check;
        this.registrar = registrar;
    }

    /**
     * All one-offs are checked before the first is written, since their keys or tags may exceed a limit.
     *
     * @return the result of each fire, in order; a job of an earlier backfill that still waits is kept. An outage of the store
     *     ends it: what was stored until then is reported, since it would run once more if all was asked for again
     * @throws StoreException if the store did not answer, and nothing was stored
     * @throws InvalidJobException with the problems of the first one-off that breaks a limit
     * @throws IllegalArgumentException if the range is empty, not past, or holds too many fires, or for a one-off
     */
    List<BulkItem> backfill(String key, Instant from, Instant to) {
        StoredJob job = node.store().find(key, FindScope.LIVE).orElseThrow(() -> new JobNotFoundException(key));
        Instant now = node.clock().now();
        boolean planned =
                job.specification().isRecurring() && job.specification().cronDialect() != CronDialect.EVERY_AFTER_END;
        if (!from.isBefore(to) || to.isAfter(now) || !planned) {
            throw new IllegalArgumentException("job '" + key + "' from " + from + " to " + to
                    + ": a backfill needs a recurring job that is no fixed delay, and a range that begins before it ends and ends before now, "
                    + now);
        }
        check.learn(job.specification());
        List<SpecificationCheck.Accepted> accepted = fires(job.specification(), from, to).stream()
                .map(fire -> registrar.acceptPast(single(job.specification(), fire)))
                .toList();
        return node.pipeline()
                .eachUntilOutage(
                        accepted,
                        Backfill::key,
                        this::stored,
                        (fire, unknown) -> new BulkItem(
                                key(fire),
                                null,
                                unknown == null ? new IllegalStateException(BulkItem.NOT_BEGUN) : unknown),
                        item -> item.job() != null,
                        false);
    }

    private static String key(SpecificationCheck.Accepted fire) {
        return fire.specification().jobSpecificationKey();
    }

    /** The result of one fire. Its failure does not stop the others; an outage of the store does. */
    private BulkItem stored(SpecificationCheck.Accepted fire) {
        try {
            return new BulkItem(key(fire), registrar.schedulePast(fire, IfExists.KEEP), null);
        } catch (WriteRefusedException e) {
            return BulkItem.refused(key(fire), e);
        } catch (StoreException outage) {
            throw outage;
        } catch (RuntimeException | Error e) {
            return BulkItem.refused(key(fire), e);
        }
    }

    private List<Instant> fires(JobSpecification job, Instant from, Instant to) {
        JobSpecification unbound = job.toBuilder().startAt(null).endAt(null).build();
        FirePlanner planner = node.planner();
        List<Instant> fires = new ArrayList<>();
        Optional<PlannedFire> next = planner.next(unbound, from.minusMillis(1));
        while (next.isPresent() && next.get().fireTime().isBefore(to)) {
            if (fires.size() == MOST_FIRES) {
                throw new IllegalArgumentException("job '" + job.jobSpecificationKey() + "' has more than " + MOST_FIRES
                        + " fires from " + from + " to " + to + "; take a shorter range");
            }
            // as it is stored, so that key and moment agree
            fires.add(next.get().fireTime().truncatedTo(ChronoUnit.MILLIS));
            next = planner.next(unbound, next.get().fireTime());
        }
        return fires;
    }

    /**
     * The one-off of a fire. It has no application tag, since a reconcile must not cancel what an operator has
     * requested.
     */
    private static JobSpecification single(JobSpecification job, Instant fire) {
        List<String> tags = new ArrayList<>(job.tags());
        tags.add(TAG);
        return job.toBuilder()
                .jobSpecificationKey(job.jobSpecificationKey() + "@" + fire)
                .schedulingSpecification(null)
                .cronDialect(null)
                .firstFire(null)
                .spread(null)
                .singleSchedule(fire)
                .calendars(List.of())
                .lateExecutionThreshold(null)
                .startDeadline(null)
                .startAt(null)
                .endAt(null)
                .maxFires(null)
                .pauseAfterFailures(null)
                .exclusiveGroup(job.exclusiveGroup().orElse(TAG + " " + job.jobSpecificationKey()))
                .tags(Set.copyOf(tags))
                .applicationTag(null)
                .version(0)
                .build();
    }
}
