package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireAccount.Kind;
import dev.almanac.model.FireReport;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.StoredFields;
import dev.almanac.store.NewJob;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accounts for each planned fire of a job (rule S22). Which fires were planned is computed from the schedules and the calendars
 * that were in force, and what became of each is taken from rows, from the document, and from the changes that took it away.
 * No account is a guess: what is named explains this fire, or it is unaccounted for. Pure functions.
 */
public final class FireAccounting {
    /** Of a schedule that fires each second a day and more. */
    private static final int MOST_COMPUTED = 100_000;

    /** Of a span that a job passes with few fires; each further part is larger. */
    private static final int AT_FIRST = 20;

    private static final int AT_ONCE = 1_000;

    /** The offsets of a zone by two versions of its rules differ by some of these, and by no more than a day. */
    private static final Duration STEP = Duration.ofMinutes(15);

    private static final Duration MOST_SHIFTED = Duration.ofDays(1);

    /** An edit of a calendar counts from when it was asked for; so long its write may take. */
    private static final Duration SLOWEST_EDIT = Duration.ofMinutes(2);

    /**
     * What is known of a job.
     *
     * @param job as it was read before its rows
     * @param rows of its document, in the order in which they were written
     * @param since the first moment of which all rows were read; absent = they were
     * @param today with the calendars of the present
     * @param calendars with those of the past
     * @param state of the job at present
     */
    public record Known(
            StoredJob job,
            List<JobExecutionStatus> rows,
            @Nullable Instant since,
            FirePlanner today,
            CalendarPeriods calendars,
            JobState state) {}

    /**
     * A time within which one schedule was in force, by calendars none of which was edited.
     *
     * @param from behind this moment
     * @param until up to this one
     * @param planner absent = a calendar is not known
     * @param change by which another schedule took its place, if that is why it ended
     */
    private record Span(
            JobSpecification schedule,
            Instant from,
            Instant until,
            @Nullable FirePlanner planner,
            @Nullable JobExecutionStatus change) {}

    /**
     * @param row absent = no expression has planned it: it was asked for at once, or counts from the end of a run
     * @param span absent = it was asked for at once, or the schedule that was in force is not known
     */
    private record Planned(
            @Nullable FirePreview row, @Nullable Span span) {}

    private final Known known;
    private final StoredJob job;
    private final Instant now;
    private final List<Span> spans = new ArrayList<>();
    private final Map<Instant, List<JobExecutionStatus>> ends = new HashMap<>();
    /** Those that have ended, by their nominal times. */
    private final Map<Instant, Instant> ended = new HashMap<>();

    private final List<JobExecutionStatus> missed = new ArrayList<>();
    private final TreeMap<Instant, Planned> planned = new TreeMap<>();
    private Instant from;
    private Instant until;
    private @Nullable String limit;
    private boolean computed = true;

    private FireAccounting(Known known, Instant since, Instant now) {
        this.known = known;
        this.job = known.job();
        this.now = now;
        this.from = since;
        this.until = now;
    }

    /**
     * @param since the first instant of the span
     * @param now the last one
     */
    public static FireReport report(Known known, Instant since, Instant now) {
        return new FireAccounting(known, since, now).report();
    }

    private FireReport report() {
        readRows();
        if (!job.isLive()) {
            endWithJob();
        } else if (isAtLast()) {
            Instant fire = job.plan().nextFireTime();
            Instant newest = newestPassed();
            end(newest == null || fire != null && fire.isAfter(newest) ? fire : newest);
        }
        List<Span> schedules = schedules();
        bound(schedules);
        schedules.forEach(this::split);
        spans.forEach(span -> compute(span, this::plan));
        spans.forEach(span -> compute(span, this::moved));
        planAfterEnds();
        ends.forEach((fire, rows) ->
                plan(fire, inForce(rows.get(rows.size() - 1).updatedTime())));
        for (JobExecutionStatus row : missed) {
            // also the fire of now, which no schedule tells of
            plan(Objects.requireNonNull(row.missed()).first(), null);
            plan(row.missed().last(), null);
        }
        if (job.isLive() && job.plan().nextFireTime() != null && job.requests().scheduleChanged() == null) {
            plan(job.plan().nextFireTime(), null);
        }
        List<FireAccount> accounts = new ArrayList<>();
        planned.headMap(until, true).forEach((fire, plan) -> {
            FireAccount account = account(fire, plan);
            if (account != null) {
                add(accounts, account);
            }
        });
        if (accounts.size() > FireReport.MOST) {
            List<FireAccount> first = accounts.subList(0, FireReport.MOST);
            Instant end = first.get(first.size() - 1).last();
            return new FireReport(
                    job.key(), from, end, first, computed, "there are more accounts than " + FireReport.MOST);
        }
        return new FireReport(job.key(), from, until, accounts, computed, limit);
    }

    // what the rows say

    private void readRows() {
        for (JobExecutionStatus row : known.rows()) {
            Instant fire = row.fireTime();
            if (row.missed() != null) {
                missed.add(row);
            } else if (fire != null && !row.manual() && isOfFire(row)) {
                ends.computeIfAbsent(fire, at -> new ArrayList<>()).add(row);
                if (isEnd(row)) {
                    ended.put(row.nominalFireTime() == null ? fire : row.nominalFireTime(), fire);
                }
            }
        }
    }

    /** Whether it tells of a fire, and not only of a request that was made meanwhile. */
    private static boolean isOfFire(JobExecutionStatus row) {
        return switch (row.outcome()) {
            case NONE,
                    MISSED,
                    REPLANNED,
                    BLOCKED,
                    FAILURE_DELIVERED,
                    FAILURE_UNDELIVERED,
                    FOLLOW_UP_REFUSED,
                    ACKNOWLEDGED,
                    PAUSED -> false;
            case CANCELED -> row.fireTime() != null && !row.fireTime().isAfter(row.updatedTime());
            default -> true;
        };
    }

    /** Whether a planned fire has ended so. */
    static boolean endsFire(JobExecutionStatus row) {
        return isOfFire(row) && isEnd(row) && !row.manual();
    }

    private static boolean isEnd(JobExecutionStatus row) {
        return switch (row.outcome()) {
            case ATTEMPT_FAILED, POSTPONED, TIMED_OUT -> false;
            // claims that were abandoned too often end the fire
            case ABANDONED -> row.executionStatus() == ExecutionStatus.FAILED;
            default -> true;
        };
    }

    /**
     * When the job had passed a fire: a later one had ended, or was missed. One that had begun before the schedule came that
     * planned the fire has passed nothing of it.
     */
    private Instant passed(Instant fire, @Nullable Span span) {
        Instant first = Instant.MAX;
        for (JobExecutionStatus row : known.rows()) {
            if (span != null && row.startedTime() != null && row.startedTime().isBefore(span.from())) {
                continue;
            }
            MissedFires range = row.missed();
            // a run now that was abandoned has passed nothing, and leaves the plan to calendars
            boolean passes = isOfFire(row) && !row.manual() && (isEnd(row) || row.outcome() != Outcome.ABANDONED);
            Instant other = range != null ? range.last() : passes ? row.fireTime() : null;
            if (other != null
                    && other.isAfter(fire)
                    && row.updatedTime().isAfter(fire)
                    && row.updatedTime().isBefore(first)) {
                first = row.updatedTime();
            }
        }
        return first;
    }

    private @Nullable Instant newestPassed() {
        Instant newest = null;
        for (Instant fire : ends.keySet()) {
            newest = newest == null || fire.isAfter(newest) ? fire : newest;
        }
        for (JobExecutionStatus row : missed) {
            Instant last = Objects.requireNonNull(row.missed()).last();
            newest = newest == null || last.isAfter(newest) ? last : newest;
        }
        return newest;
    }

    /** A job that is over has planned nothing behind its last fire, or behind its cancel. */
    private void endWithJob() {
        JobExecutionStatus cancel = cancel();
        end(cancel == null ? newestPassed() : cancel.updatedTime());
    }

    private void end(@Nullable Instant last) {
        if (last != null && last.isBefore(until)) {
            until = last;
        }
    }

    /** Whether the last fire of {@code maxFires} has begun: as long as it has not, a newer one may take its place. */
    private boolean isAtLast() {
        ScheduleChange change = job.requests().scheduleChanged();
        return (change == null || change.carried() == null) && ChangedSchedule.isLastBegun(job, job.specification());
    }

    private @Nullable JobExecutionStatus cancel() {
        return known.rows().stream()
                .filter(row -> !job.isLive() && row.executionStatus() == ExecutionStatus.CANCELED)
                .reduce((one, later) -> later)
                .orElse(null);
    }

    // what was planned

    /** The schedules in their order, each with the time within which it was in force. */
    private List<Span> schedules() {
        List<Span> all = new ArrayList<>();
        Instant begin = created();
        for (JobExecutionStatus row : known.rows()) {
            JobSpecification former = row.former();
            if (former != null) {
                Instant end = former.latestUpdate().orElse(row.updatedTime());
                all.add(new Span(former, begin, end, null, row));
                begin = end;
            }
        }
        all.add(new Span(job.specification(), begin, until, null, null));
        return all;
    }

    /** When the job was stored; if that is not known, since it was changed and its first rows have expired, its first row. */
    private Instant created() {
        return known.rows().stream()
                .filter(NewJob::isCreation)
                .map(JobExecutionStatus::updatedTime)
                .findFirst()
                .or(() -> job.specification()
                        .latestUpdate()
                        .filter(stored -> job.specification().version() == 1))
                .orElseGet(() -> {
                    JobExecutionStatus first = known.rows().get(0);
                    Instant fire = first.fireTime();
                    Instant begin = fire != null && fire.isBefore(first.updatedTime()) ? fire : first.updatedTime();
                    if (scheduleAt(first.updatedTime()).isRecurring()) {
                        begin(begin, "rows before that are not there");
                    }
                    return Instant.EPOCH;
                });
    }

    /** From when on all rows are kept, and all calendars known; the accounts begin there. */
    private void bound(List<Span> schedules) {
        for (int i = schedules.size() - 1; i >= 0; i--) {
            Span span = schedules.get(i);
            Instant kept = kept(span.schedule());
            if (kept.isAfter(span.from())) {
                // of a later one all is known
                begin(
                        kept.isBefore(span.until()) ? kept : span.until().plusMillis(1),
                        "rows are kept for a hundred fires, a day at least and 35 days at most");
                break;
            }
        }
        if (known.since() != null) {
            begin(known.since(), "only the newest rows are read");
        }
        for (JobExecutionStatus row : known.rows()) {
            if (isRemovedEarly(row)) {
                Duration kept = Duration.between(row.updatedTime(), Objects.requireNonNull(row.deleteTime()));
                begin(now.minus(kept), "rows before that are not kept so long");
            }
        }
        for (String name : calendars(schedules)) {
            if (!known.today().isDeclared(name)) {
                begin(known.calendars().knownSince(name), "earlier versions of calendar '" + name + "' are not kept");
            }
        }
    }

    private Instant kept(JobSpecification schedule) {
        if (StoredFields.isUnreadable(schedule)) {
            return now;
        }
        return schedule.isRecurring() ? now.minus(known.today().search().hundredFires(schedule)) : Instant.EPOCH;
    }

    /** By its retention, by a release that kept rows for a shorter time, or since the job went on earlier than it was planned. */
    private boolean isRemovedEarly(JobExecutionStatus row) {
        Instant next = row.nextFireTime();
        Instant removed = row.deleteTime();
        JobSpecification schedule = job.specification();
        return next != null
                && removed != null
                && schedule.isRecurring()
                && isOfFire(row)
                && isEnd(row)
                && schedule.equals(scheduleAt(row.updatedTime()))
                && removed.isBefore(
                        row.updatedTime().plus(known.today().search().hundredFires(schedule)));
    }

    private JobSpecification scheduleAt(Instant moment) {
        return known.rows().stream()
                .filter(row -> row.former() != null && row.updatedTime().isAfter(moment))
                .map(JobExecutionStatus::former)
                .findFirst()
                .orElse(job.specification());
    }

    private static List<String> calendars(List<Span> schedules) {
        return schedules.stream()
                .flatMap(span -> span.schedule().calendars().stream())
                .distinct()
                .toList();
    }

    private void begin(Instant earliest, String why) {
        if (earliest.isAfter(from)) {
            from = earliest;
            limit = why;
        }
    }

    /** By the moments at which a calendar was edited. */
    private void split(Span whole) {
        TreeSet<Instant> edits = new TreeSet<>();
        for (String name : whole.schedule().calendars()) {
            if (!known.today().isDeclared(name)) {
                known.calendars().periods(name).forEach(period -> edits.add(period.from()));
            }
        }
        Instant begin = whole.from();
        for (Instant edit : edits) {
            if (edit.isAfter(begin) && edit.isBefore(whole.until())) {
                spans.add(new Span(whole.schedule(), begin, edit, planner(whole.schedule(), begin), null));
                begin = edit;
            }
        }
        spans.add(new Span(whole.schedule(), begin, whole.until(), planner(whole.schedule(), begin), whole.change()));
    }

    private @Nullable FirePlanner planner(JobSpecification schedule, Instant then) {
        FirePlanner planner = known.today().at(then, schedule.calendars(), known.calendars());
        return planner.unknownCalendars(schedule).isEmpty() ? planner : null;
    }

    /** What cannot be computed of one schedule, such as for a calendar of the service that throws, leaves the others. */
    private void compute(Span span, Consumer<Span> fires) {
        try {
            fires.accept(span);
        } catch (RuntimeException unreadable) {
            computed = false;
            limit = "fires until " + span.until() + " cannot be computed here: " + unreadable.getMessage();
        }
    }

    private void plan(Span span) {
        FirePlanner planner = span.planner();
        if (span.until().isBefore(from)
                || FirePlanner.isDelayed(span.schedule())
                || StoredFields.isUnreadable(span.schedule())) {
            return;
        }
        if (planner == null) {
            computed = false;
            limit = "a calendar of " + span.schedule().calendars() + " is not known here";
            return;
        }
        if (!span.schedule().isRecurring()) {
            boolean edited = span.change() == null && span != spans.get(spans.size() - 1);
            planner.preview(span.schedule(), Instant.EPOCH, 1)
                    .forEach(row -> plan(row, span, from.minusMillis(1), edited ? span.until() : until));
            return;
        }
        Instant begin = span.from().isBefore(from) ? from.minusMillis(1) : span.from();
        Instant after = begin;
        int most = AT_FIRST;
        while (after.isBefore(span.until())) {
            List<FirePreview> rows = planner.preview(span.schedule(), after, most);
            most = Math.min(most * 4, AT_ONCE);
            rows.forEach(row -> plan(row, span, begin, span.until()));
            Instant last = rows.isEmpty() ? span.until() : moment(rows.get(rows.size() - 1));
            after = last.isAfter(after) ? last : span.until();
            if (planned.size() > MOST_COMPUTED) {
                until = last;
                limit = "there are more planned fires than " + MOST_COMPUTED;
                return;
            }
        }
    }

    /**
     * A fire that a row or the document tells of.
     *
     * @param span whose schedule had it; absent = whichever
     */
    private void plan(Instant fire, @Nullable Span span) {
        if (!fire.isBefore(from) && !fire.isAfter(until)) {
            planned.putIfAbsent(fire, new Planned(null, span));
        }
    }

    /** The span of that moment; null if it lies outside the report. */
    private @Nullable Span inForce(Instant moment) {
        return spans.stream()
                .filter(span -> moment.isAfter(span.from()) && !moment.isAfter(span.until()))
                .findFirst()
                .orElse(null);
    }

    private void plan(FirePreview row, Span span, Instant begin, Instant end) {
        Instant at = moment(row);
        if (at.isAfter(begin) && !at.isAfter(end)) {
            planned.putIfAbsent(at, new Planned(row, span));
        }
    }

    private static Instant moment(FirePreview row) {
        return row.fireTime() == null ? row.nominalTime() : row.fireTime();
    }

    /** The fire that a replaced schedule would have had next, if no later schedule has it. */
    private void moved(Span span) {
        FirePlanner planner = span.planner();
        boolean replaced = span.change() != null && !span.until().isBefore(from) && !isSameAsNext(span);
        if (replaced && planner != null && span.schedule().isRecurring() && !FirePlanner.isDelayed(span.schedule())) {
            planner.next(span.schedule(), span.until())
                    .map(fire ->
                            planner.preview(span.schedule(), fire.fireTime().minusMillis(1), 1))
                    .ifPresent(rows -> rows.forEach(row -> plan(row, span, from.minusMillis(1), now)));
        }
    }

    /**
     * The fires of a recurrence that counts from the end of its runs: each is planned by the row of the run before, unless a
     * change replaces it before it comes.
     */
    private void planAfterEnds() {
        Span newest = spans.get(spans.size() - 1);
        if (!FirePlanner.isDelayed(newest.schedule())) {
            return;
        }
        Instant next = null;
        for (JobExecutionStatus row : known.rows()) {
            boolean changed = row.former() != null;
            // an attempt and a run now leave the plan as it is, and tell when a retry comes
            boolean leaves = isOfFire(row) && (row.manual() || !isEnd(row));
            if (changed || !leaves && row.nextFireTime() != null) {
                if (next != null && !next.isAfter(row.updatedTime())) {
                    plan(next, newest);
                }
                next = !changed && plansAfterEnd(row) ? row.nextFireTime() : null;
            }
        }
        if (next != null) {
            plan(next, newest);
        }
    }

    /** A failure that is still to be delivered tells when it is, which is at once; its delivery plans the next fire. */
    private static boolean plansAfterEnd(JobExecutionStatus row) {
        boolean delivered = row.outcome() == Outcome.FAILURE_DELIVERED || row.outcome() == Outcome.FAILURE_UNDELIVERED;
        return (isOfFire(row) || delivered)
                && Objects.requireNonNull(row.nextFireTime()).isAfter(row.updatedTime());
    }

    /** Whether only the history was changed. */
    private boolean isSameAsNext(Span span) {
        return spans.get(spans.indexOf(span) + 1).schedule().hasSameSchedule(span.schedule());
    }

    // what became of it

    private @Nullable FireAccount account(Instant fire, Planned plan) {
        List<JobExecutionStatus> rows = ends.getOrDefault(fire, List.of());
        // the job may be cancelled behind its fire, which the row names, too
        JobExecutionStatus end = rows.stream()
                .filter(FireAccounting::isEnd)
                .reduce((one, later) -> later.outcome() == Outcome.CANCELED ? one : later)
                .orElse(null);
        if (end != null) {
            return ended(fire, end);
        }
        FirePreview row = plan.row();
        if (row != null && row.fireTime() == null) {
            return leftOut(fire, row);
        }
        JobExecutionStatus other = missedAt(fire);
        if (other != null) {
            boolean late = Objects.requireNonNull(other.missed()).reason() == MissedFires.Reason.TOO_LATE;
            return of(fire, late ? Kind.TOO_LATE : Kind.MISSED, other, other.detail());
        }
        Span span = plan.span();
        boolean left = span != null
                && span.change() != null
                && fire.isAfter(span.until())
                && !fire.equals(job.plan().nextFireTime());
        if (!left && isPending(fire)) {
            Kind kind = known.state() == JobState.PAUSED ? Kind.PAUSED : Kind.WAITING;
            return of(fire, kind, null, "the job is " + known.state());
        }
        Instant passed = passed(fire, span);
        boolean silent = wasSilent(fire, passed);
        boolean replaced = span != null && span.change() != null && fire.isAfter(span.until());
        if (span != null && (replaced || !silent || !hasEndedBeforeCancel(fire))) {
            FireAccount taken = taken(fire, span, passed);
            if (taken != null) {
                return taken;
            }
        }
        if (silent) {
            return of(fire, Kind.NOT_KEPT, null, "the job keeps no rows of runs that went well");
        }
        Instant before = row == null ? null : endOf(row.nominalTime());
        if (before != null && span != null && span.from().isAfter(before)) {
            // by a calendar that was edited behind its start it is that fire once more, which is none
            return null;
        }
        if (row != null && isElsewhere(fire)) {
            // by the rules of the zone that planned it, it is a fire of another instant, which has its own account
            return null;
        }
        return of(
                fire,
                Kind.UNACCOUNTED,
                rows.isEmpty() ? null : rows.get(rows.size() - 1),
                (rows.isEmpty() ? "no row and no change tells of it" : "it began, and no row tells how it ended")
                        + declared(span));
    }

    /**
     * Whether nodes with other rules of the zone have planned it at another instant (rule T6), where it ended, was missed or
     * waits. They have if the runs within a day of it are at instants that the schedule lacks by the rules of this process,
     * and one shift of the offset explains them all; or if the plan of the job has another wall time by these rules.
     */
    private boolean isElsewhere(Instant fire) {
        PlanBasis basis = job.plan().basis();
        Instant next = job.plan().nextFireTime();
        if (job.isLive() && basis != null && next != null) {
            LocalDateTime here =
                    LocalDateTime.ofInstant(next, job.specification().zoneId());
            Duration shift = Duration.between(basis.local(), here);
            if (!shift.isZero() && !fire.plus(shift).isBefore(next)) {
                return true;
            }
        }
        List<Instant> strays = ended.entrySet().stream()
                .filter(end -> !isComputed(end.getKey()) && !isComputed(end.getValue()))
                .map(Map.Entry::getValue)
                .filter(end -> Duration.between(fire, end).abs().compareTo(MOST_SHIFTED) <= 0)
                .toList();
        for (Duration shift = STEP; shift.compareTo(MOST_SHIFTED) <= 0; shift = shift.plus(STEP)) {
            for (Duration either : List.of(shift, shift.negated())) {
                if (strays.stream().anyMatch(end -> isComputed(end.minus(either)))
                        && strays.stream().allMatch(end -> mayBeComputed(end.minus(either)))) {
                    Instant other = fire.plus(either);
                    return ended.containsValue(other) || missedAt(other) != null || isPending(other);
                }
            }
        }
        return false;
    }

    private boolean isComputed(Instant moment) {
        Planned plan = planned.get(moment);
        return plan != null && plan.row() != null;
    }

    /** Also what lies outside of what was computed. */
    private boolean mayBeComputed(Instant moment) {
        Instant begin = spans.get(0).from();
        return isComputed(moment) || moment.isBefore(from) || !moment.isAfter(begin) || moment.isAfter(until);
    }

    /** The fire that has ended in the place of a nominal one, or was missed there; absent = none has. */
    private @Nullable Instant endOf(Instant nominal) {
        return missedAt(nominal) != null ? nominal : ended.get(nominal);
    }

    /** The first row that tells that an instant was missed. */
    private @Nullable JobExecutionStatus missedAt(Instant at) {
        for (JobExecutionStatus row : missed) {
            MissedFires range = Objects.requireNonNull(row.missed());
            if (!at.isBefore(range.first()) && !at.isAfter(range.last())) {
                return row;
            }
        }
        return null;
    }

    /** Whether it is the planned fire of a cancelled job, and the cancel names none, since that had ended. */
    private boolean hasEndedBeforeCancel(Instant fire) {
        JobExecutionStatus cancel = cancel();
        return cancel != null
                && cancel.fireTime() == null
                && fire.equals(job.plan().nextFireTime());
    }

    private String declared(@Nullable Span span) {
        List<String> declared = span == null
                ? List.of()
                : span.schedule().calendars().stream()
                        .filter(known.today()::isDeclared)
                        .toList();
        return declared.isEmpty() ? "" : ", unless " + declared + ", which code declares, was different then";
    }

    /** Whether rows of good runs were not kept at some time from the fire on, until the job had passed it. */
    private boolean wasSilent(Instant fire, Instant passed) {
        return spans.stream()
                .filter(span -> span.schedule().history() == History.TROUBLE)
                .anyMatch(span -> !span.until().isBefore(fire) && span.from().isBefore(passed));
    }

    private FireAccount ended(Instant fire, JobExecutionStatus end) {
        Kind kind = switch (end.outcome()) {
            case EXCLUDED -> Kind.EXCLUDED;
            case EXPIRED -> Kind.TOO_LATE;
            case CANCELED -> Kind.CANCELED;
            default -> Kind.RAN;
        };
        boolean ran = kind == Kind.RAN;
        return new FireAccount(
                fire,
                fire,
                1,
                kind,
                end.nominalFireTime(),
                ran ? end.outcome() : null,
                end.updatedTime(),
                ran ? end.node() : null,
                end.author(),
                end.detail());
    }

    /** Null if it was no fire of the job. */
    private static @Nullable FireAccount leftOut(Instant fire, FirePreview row) {
        return switch (row.reason()) {
            case LOST_IN_GAP -> of(fire, Kind.EXCLUDED, null, "a clock change has left out its wall time");
            case SECOND_PASS_DROPPED -> of(fire, Kind.EXCLUDED, null, "its wall time came for the second time");
            case OUT_OF_BOUNDS -> null;
            default -> of(fire, Kind.EXCLUDED, null, "by " + row.calendarName());
        };
    }

    /** Whether the document still has to judge it. */
    private boolean isPending(Instant fire) {
        if (!job.isLive()) {
            return false;
        }
        Instant next = job.plan().nextFireTime();
        ScheduleChange change = job.requests().scheduleChanged();
        if (next != null && !fire.isBefore(next) || change != null && fire.equals(change.carried())) {
            return true;
        }
        boolean planless = next == null || job.isUnplanned() || known.today().isOlder(job);
        if (!planless) {
            return false;
        }
        Instant newest = newestPassed();
        return newest == null || fire.isAfter(newest);
    }

    /** Whether the job still has a fire of a schedule before that moment to run, and so has passed none of the schedule since. */
    private boolean isPlannedBefore(Instant change) {
        PlanBasis basis = job.plan().basis();
        Instant carried = job.plan().carried();
        return basis != null && basis.after().isBefore(change) || carried != null && !carried.isAfter(change);
    }

    /** By a cancel, or by a change that was made before the job had passed the fire. */
    private @Nullable FireAccount taken(Instant fire, Span span, Instant passed) {
        JobExecutionStatus change = span.change();
        if (change != null && fire.isAfter(span.until()) && !ends.containsKey(fire)) {
            return of(fire, Kind.MOVED, change, change.detail());
        }
        JobExecutionStatus cancel = cancel();
        Instant next = job.plan().nextFireTime();
        boolean waited = cancel != null && !passed.isBefore(cancel.updatedTime())
                || next != null && !fire.isBefore(next)
                || isPlannedBefore(span.from());
        if (cancel != null && waited && !fire.isAfter(cancel.updatedTime())) {
            return of(fire, Kind.CANCELED, cancel, cancel.detail());
        }
        if (change != null && isTakenBy(fire, span, passed)) {
            return of(fire, Kind.MOVED, change, change.detail());
        }
        for (String name : span.schedule().calendars()) {
            for (CalendarPeriods.Period period : known.calendars().periods(name)) {
                Instant edit = period.from();
                boolean late = !edit.isAfter(fire) && fire.isBefore(edit.plus(SLOWEST_EDIT));
                Instant then = late ? edit.minusMillis(1) : edit;
                if ((late || edit.isAfter(fire) && !edit.isAfter(passed))
                        && !isPlanned(span.schedule(), planner(span.schedule(), then), fire)) {
                    String by = period.version().author();
                    return of(
                            fire,
                            late ? Kind.EXCLUDED : Kind.MOVED,
                            edit,
                            by.isEmpty() ? null : by,
                            "calendar '" + name + "' "
                                    + (late ? "left it out until it was edited" : "was edited before it ran"));
                }
            }
        }
        return known.rows().stream()
                .filter(row -> row.outcome() == Outcome.REPLANNED)
                .filter(row ->
                        row.updatedTime().isAfter(fire) && !row.updatedTime().isAfter(passed))
                .findFirst()
                .map(row -> of(fire, Kind.MOVED, row, row.detail()))
                .orElse(null);
    }

    /**
     * Whether the change of the schedule explains it: the fire was still to come, or is the moment of a one-off, or the one
     * who made the change before the job had passed it did not know the calendars by which it was planned (rule S2).
     */
    private static boolean isTakenBy(Instant fire, Span span, Instant passed) {
        return fire.isAfter(span.until())
                || !span.schedule().isRecurring()
                || !span.schedule().calendars().isEmpty() && !span.until().isAfter(passed);
    }

    /** Also if that is not known. */
    private static boolean isPlanned(JobSpecification schedule, @Nullable FirePlanner planner, Instant fire) {
        try {
            return planner == null
                    || planner.first(schedule, fire.minusMillis(1))
                            .filter(at -> at.fireTime().equals(fire))
                            .isPresent();
        } catch (RuntimeException unknown) {
            return true;
        }
    }

    private static FireAccount of(Instant fire, Kind kind, @Nullable JobExecutionStatus row, @Nullable String detail) {
        return row == null
                ? of(fire, kind, null, null, detail)
                : of(fire, kind, row.updatedTime(), row.author(), detail);
    }

    private static FireAccount of(
            Instant fire, Kind kind, @Nullable Instant at, @Nullable String by, @Nullable String detail) {
        return new FireAccount(fire, fire, 1, kind, null, null, at, null, by, detail);
    }

    /** Those that follow each other and share all but their times are one. */
    private static void add(List<FireAccount> accounts, FireAccount next) {
        FireAccount last = accounts.isEmpty() ? null : accounts.get(accounts.size() - 1);
        boolean same = last != null
                && next.kind() != Kind.RAN
                && next.kind() == last.kind()
                && Objects.equals(next.at(), last.at())
                && Objects.equals(next.detail(), last.detail());
        if (!same) {
            accounts.add(next);
            return;
        }
        accounts.set(
                accounts.size() - 1,
                new FireAccount(
                        last.fireTime(),
                        next.last(),
                        last.count() + 1,
                        last.kind(),
                        null,
                        null,
                        last.at(),
                        null,
                        last.by(),
                        last.detail()));
    }
}
