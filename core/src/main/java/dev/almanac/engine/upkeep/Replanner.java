package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.CalendarCalls;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the next fires of many jobs again, page by page (rules C5, T6). Several nodes may do the same at once: each
 * change is a compare-and-set, and a plan that is right stays as it is. Thread-safe.
 */
public final class Replanner {
    /** After so many refused tries the job is busy, and its next plan is made by today's rules anyway. */
    private static final int MOST_TRIES = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Replanner.class);

    private final Node node;
    private final Consumer<StoredJob> stored;
    private final Deciding deciding;

    /** How calendars are called: on which thread, and for how long. */
    private interface Deciding {
        Optional<JobChange> decide(JobSpecification job, Supplier<Optional<JobChange>> decision);
    }

    private Replanner(Node node, Consumer<StoredJob> stored, Deciding deciding) {
        this.node = node;
        this.stored = stored;
        this.deciding = deciding;
    }

    /**
     * Calls calendars on the thread that asks it to plan: that of a user, whose call then ends no sooner than they do.
     *
     * @param stored is notified of each job that was changed, since it may be due soon
     */
    public Replanner(Node node, Consumer<StoredJob> stored) {
        this(node, stored, (job, decision) -> decision.get());
    }

    /** The same for a lane: a calendar that never returns is waited for no longer than a lease (rule X1). */
    public Replanner on(CalendarCalls calls) {
        return new Replanner(node, stored, calls::ask);
    }

    /**
     * @param jobs read page by page as they are asked for
     * @param concerned which of them to plan again
     * @param why the cause, for the rows of the jobs
     * @param atMost the time after which no further job is planned; a calendar may make a single plan expensive
     * @param failed takes what calendars have thrown, an Error, too, for one job each: all others are planned all the same
     */
    public ReplanResult replan(
            Supplier<Stream<StoredJob>> jobs,
            Predicate<StoredJob> concerned,
            String why,
            Duration atMost,
            Consumer<RuntimeException> failed) {
        long began = node.clock().nanos();
        long looked = 0;
        long moved = 0;
        long blocked = 0;
        boolean complete = true;
        List<RuntimeException> failures = new ArrayList<>();
        for (StoredJob job : (Iterable<StoredJob>) jobs.get()::iterator) {
            if (node.clock().nanos() - began > atMost.toNanos()) {
                complete = false;
                break;
            }
            looked++;
            Optional<StoredJob> after = concerned.test(job) ? contained(job, why, false, failures) : Optional.empty();
            if (after.isPresent()) {
                moved++;
                blocked += after.get().blocked() == null ? 0 : 1;
            }
        }
        failures.forEach(failed);
        return new ReplanResult(
                looked,
                moved,
                blocked,
                failures.size(),
                failures.isEmpty() ? null : failures.get(0).getMessage(),
                complete && failures.isEmpty());
    }

    /**
     * Plans a job again whose plan is older than its calendars, and notes the new versions even if
     * its fire stays, so that nobody looks at it again.
     *
     * @throws IllegalStateException if a calendar throws
     */
    void renew(StoredJob job) {
        List<RuntimeException> failures = new ArrayList<>();
        contained(job, "its calendars were edited while its plan was written", true, failures);
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    /** A calendar is code of the service: if it fails, all other jobs are planned all the same. */
    private Optional<StoredJob> contained(StoredJob job, String why, boolean renews, List<RuntimeException> failures) {
        try {
            return replan(job, why, renews);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            String which = "job '" + Printable.value(job.key()) + "' cannot be planned again: ";
            failures.add(new IllegalStateException(which + Printable.value(e), e));
            return Optional.empty();
        }
    }

    private Optional<StoredJob> replan(StoredJob found, String why, boolean renews) {
        Optional<StoredJob> next = Optional.of(found);
        Optional<StoredJob> moved = Optional.empty();
        for (int i = 0; i < MOST_TRIES && next.isPresent(); i++) {
            StoredJob job = next.get();
            node.calendars().freshenFor(List.of(job), node.store().cluster(), node.clock());
            Optional<JobChange> change =
                    deciding.decide(job.specification(), () -> decided(job, why, renews, node.planner()));
            if (change.isEmpty()) {
                return moved;
            }
            JobChange sent = change.get().asPlanning(node.random().nextLong());
            boolean applied = node.store()
                    .write(List.of(sent.withRowsToFollow()), node.history()::add)
                    .get(0);
            node.history().add(applied ? sent.rows() : List.of());
            moved = applied && !sent.rows().isEmpty() ? Optional.of(report(sent, why)) : moved;
            if (applied && !node.planner().isOlder(sent.after())) {
                return moved;
            }
            // an editor that came while the write was under way has found the job planned right, and written nothing
            next = applied ? Optional.of(sent.after()) : live(job.id());
        }
        return moved;
    }

    private Optional<JobChange> decided(StoredJob job, String why, boolean renews, FirePlanner planner) {
        if (hasNoFires(job, planner)) {
            return Optional.empty();
        }
        Optional<JobChange> moved = RequestDecider.replan(job, planner, why, node.context());
        return moved.isPresent() || !renews ? moved : RequestDecider.renewed(job, planner);
    }

    /** For good, such as by a policy that moves no steps of hours: not worth another try. No calendar is asked. */
    private static boolean hasNoFires(StoredJob job, FirePlanner planner) {
        try {
            if (planner.unknownCalendars(job.specification()).isEmpty()) {
                planner.requirePolicy(job.specification());
            }
            return false;
        } catch (IllegalArgumentException e) {
            LOG.warn("job '{}' is not planned again: {}", Printable.value(job.key()), Printable.value(e.getMessage()));
            return true;
        }
    }

    private Optional<StoredJob> live(String id) {
        return node.store().load(List.of(id)).stream().filter(StoredJob::isLive).findFirst();
    }

    private StoredJob report(JobChange change, String why) {
        StoredJob moved = change.after();
        node.events()
                .emit(new SchedulerEvent.JobReplanned(moved.key(), moved.plan().nextFireTime(), why));
        Transitions.blockEvent(change).ifPresent(node.events()::emit);
        stored.accept(moved);
        return moved;
    }

    /** The detail of the rows of jobs that were planned again for it. */
    public static String edited(StoredCalendar calendar) {
        String by = calendar.author().isEmpty() ? "" : " by " + calendar.author();
        return "calendar '" + calendar.name() + "' was edited" + by;
    }
}
