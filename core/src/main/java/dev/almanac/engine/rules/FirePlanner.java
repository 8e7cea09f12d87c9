package dev.almanac.engine.rules;

import dev.almanac.model.FirstFire;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.StoredFields;
import dev.almanac.store.FirePlan;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import dev.almanac.time.LocalMoments;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.Schedule;
import dev.almanac.time.SingleMoment;
import dev.almanac.time.ZoneRulesVersion;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Computes the fires of a specification. Pure: the same specification and calendars give the same fires. A planner knows
 * the calendars of one moment, so each decision takes a new one from its node.
 */
public final class FirePlanner {
    /** The limits of a search that found nothing, for messages. */
    static final String SEARCHED = "20 years or " + Recurrence.MOST_EXCLUDED + " excluded fires";

    /**
     * The calendars of a node at one moment: a value, which later edits do not change.
     *
     * @param byName those whose definitions the node can read, in the order of their names
     * @param versions of the stored ones that no declared one hides
     * @param unknown the others that are or were stored, and why the node does not have them
     */
    public record Calendars(
            Map<String, ExclusionCalendar> byName, Map<String, Long> versions, Map<String, WhyUnknown> unknown) {
        public Calendars {
            byName = Collections.unmodifiableMap(new TreeMap<>(byName));
            versions = Map.copyOf(versions);
            unknown = Map.copyOf(unknown);
        }

        /** Calendars that are not stored. */
        public Calendars(Map<String, ExclusionCalendar> byName) {
            this(byName, Map.of(), Map.of());
        }

        /** The calendar of a name; empty if it is not known, or its definition cannot be read. */
        Optional<ExclusionCalendar> find(String name) {
            return Optional.ofNullable(byName.get(name));
        }
    }

    /** Why a node does not have a calendar that a job names. */
    public enum WhyUnknown {
        NOT_STORED("no calendar '", "' is stored, so only a service that declares it in code "),
        UNREADABLE(
                "calendar '",
                "' is stored and its definition cannot be read here (ALM-009), so only a node that can read it "),
        DELETED("calendar '", "' was deleted, so only a service that declares it in code ");

        private final String start;
        private final String end;

        WhyUnknown(String start, String end) {
            this.start = start;
            this.end = end;
        }

        /** @param then what is left to those who have the calendar, such as {@code runs the job} */
        public String words(String calendar, String then) {
            return start + calendar + end + then;
        }
    }

    /** Parses expressions and finds fires. Equal arguments have equal results, so an implementation may remember them. */
    public interface Search {
        /** An expression that is not counted from an anchor. */
        default Schedule parse(String text, CronDialect dialect) {
            return Schedule.parse(text, dialect, Instant.EPOCH);
        }

        /** The first fire strictly after a moment. */
        default Optional<PlannedFire> next(Recurrence recurrence, Instant after) {
            return recurrence.next(after);
        }

        /** For how long a hundred fires of a recurrence in a row last at most, without calendars: a day at least and 35 at most. */
        default Duration hundredFires(JobSpecification job) {
            try {
                Schedule schedule = parse(job.schedulingSpecification().orElseThrow(), job.cronDialect());
                boolean equalSteps = isDelayed(job) || job.cronDialect() == CronDialect.EVERY;
                return equalSteps ? HundredFires.ofSteps(schedule) : HundredFires.of(schedule);
            } catch (RuntimeException unreadable) {
                // such a job is blocked, and can be cancelled all the same
                return HundredFires.LEAST;
            }
        }
    }

    private static final Duration HORIZON = Duration.ofDays(20 * 366);
    /** Fires are counted exactly up to here (rule S5). */
    static final long MOST_COUNTED = 1_000_000;
    /** So many fires from the wanted one a search by counting ends, and steps begin. */
    private static final int NEAR = 8;

    private final Calendars calendars;
    private final Search search;

    public FirePlanner(Calendars calendars, Search search) {
        this.calendars = calendars;
        this.search = search;
    }

    /** A planner that remembers nothing. */
    public FirePlanner(Calendars calendars) {
        this(calendars, new Search() {});
    }

    /** What it parses and searches with. */
    public Search search() {
        return search;
    }

    /** The calendars that apply to the job and that this node has. */
    public List<ExclusionCalendar> known(JobSpecification job) {
        return job.calendars().stream()
                .flatMap(name -> calendars.find(name).stream())
                .toList();
    }

    /** The calendars that apply to the job and that this node does not have. */
    public List<String> unknownCalendars(JobSpecification job) {
        return job.calendars().isEmpty()
                ? List.of()
                : job.calendars().stream()
                        .filter(name -> calendars.find(name).isEmpty())
                        .toList();
    }

    /** Whether code declares the calendar, which then was the same ever since. */
    boolean isDeclared(String name) {
        return calendars.byName().containsKey(name) && !calendars.versions().containsKey(name);
    }

    /** A planner with the calendars of an earlier moment: the stored ones that were in force, and those that code declares. */
    FirePlanner at(Instant then, Collection<String> names, CalendarPeriods periods) {
        Map<String, ExclusionCalendar> byName = new HashMap<>();
        names.forEach(name -> (isDeclared(name) ? calendars.find(name) : periods.at(name, then))
                .ifPresent(calendar -> byName.put(name, calendar)));
        return new FirePlanner(new Calendars(byName), search);
    }

    /** Of the calendars that apply to the job and that this node does not have those that others may have. */
    public List<String> calendarsOfOthers(JobSpecification job) {
        return unknownCalendars(job).stream()
                .filter(name -> whyUnknown(name) != WhyUnknown.DELETED)
                .toList();
    }

    /** Why this node does not have a calendar, which is one of {@link #unknownCalendars}. */
    public WhyUnknown whyUnknown(String name) {
        return calendars.unknown().getOrDefault(name, WhyUnknown.NOT_STORED);
    }

    /** The names of all calendars of the node, in order. */
    Set<String> calendarNames() {
        return calendars.byName().keySet();
    }

    /** The instant of a wall time, by the rule of docs/time.md. */
    public static Instant resolve(LocalDateTime local, ZoneId zone, DaylightSavingPolicy policy) {
        return LocalMoments.resolve(local, zone, policy);
    }

    /**
     * Asks no calendar; the node has those of the job.
     *
     * @throws IllegalArgumentException if the calendar policy of the job cannot move the fires of its schedule
     */
    public void requirePolicy(JobSpecification job) {
        if (job.isRecurring()) {
            recurrence(job);
        }
    }

    /**
     * The first fire after a moment; for a one-off that of its single moment, passed or not, and empty if its calendars
     * exclude that and its policy names no other.
     */
    Optional<PlannedFire> first(JobSpecification job, Instant after) {
        return job.isRecurring() ? next(job, after) : single(job).fire();
    }

    private SingleMoment single(JobSpecification job) {
        LocalDateTime local = job.singleScheduleLocal().orElse(null);
        Instant moment = local == null ? job.singleSchedule().orElseThrow() : LocalMoments.resolve(local, zone(job));
        return new SingleMoment(
                moment, local == null ? local(job, moment) : local, zone(job), chain(job), job.calendarPolicy());
    }

    /** The next fire of a recurrence strictly after a moment; never one for a one-off. */
    public Optional<PlannedFire> next(JobSpecification job, Instant after) {
        if (!job.isRecurring()) {
            return Optional.empty();
        }
        SpreadFires fires = fires(job);
        return job.calendars().isEmpty() || !fires.offset().isZero()
                ? fires.next(after)
                : search.next(fires.recurrence(), after);
    }

    /**
     * The next fire behind one that has ended. If a calendar was edited since, the schedule may have that one once more: it is
     * passed over by the policies that move fires forward only, where no nominal fire that is still to come can share it.
     *
     * @param endedFire the ended fire; absent = it is not known, so that no fire is the second pass of it
     * @param ended the nominal instant of the ended fire; absent = there is none
     */
    Optional<PlannedFire> nextBehind(
            JobSpecification job, Instant after, @Nullable Instant endedFire, @Nullable Instant ended) {
        Optional<PlannedFire> next = next(job, after);
        return isAgain(job, next, endedFire, ended)
                ? next(job, next.orElseThrow().fireTime())
                : next;
    }

    private static boolean isAgain(
            JobSpecification job, Optional<PlannedFire> next, @Nullable Instant endedFire, @Nullable Instant ended) {
        return ended != null
                && movesForward(job)
                && next.filter(fire -> ended.equals(fire.nominalFireTime()))
                        .filter(fire -> endedFire == null || !isSecondPass(job, fire.fireTime(), endedFire))
                        .isPresent();
    }

    /** The first fire of the schedule of a plan after a moment that has not ended. */
    Optional<PlannedFire> firstOf(JobSpecification job, FirePlan plan, Instant after) {
        return job.isRecurring() ? nextBehind(job, after, plan.endedFire(), plan.endedNominal()) : first(job, after);
    }

    /** A wall time that a clock shows twice is moved to two fires of one date, of one nominal instant. */
    private static boolean isSecondPass(JobSpecification job, Instant fire, Instant before) {
        return job.calendarPolicy() == CalendarPolicy.FOLLOWING
                && local(job, fire).toLocalDate().equals(local(job, before).toLocalDate());
    }

    private static boolean movesForward(JobSpecification job) {
        return !isDelayed(job)
                && (job.calendarPolicy() == CalendarPolicy.NEXT_INCLUDED
                        || job.calendarPolicy() == CalendarPolicy.FOLLOWING);
    }

    /**
     * From where a calendar had shifted a fire of the plan, or a later one that was missed, as {@link #nextBehind} needs it;
     * absent = from nowhere.
     */
    @Nullable
    Instant nominalOf(JobSpecification job, FirePlan plan, Instant fire) {
        if (job.calendars().isEmpty() || !movesForward(job)) {
            return null;
        }
        return fire.equals(plan.nextFireTime())
                ? plan.nominalFireTime()
                : at(job, fire).nominalFireTime();
    }

    /** The newest fire that has passed by then, or {@code planned}, which has, if none of today's calendars is newer. */
    Instant newest(JobSpecification job, Instant planned, Instant now) {
        return fires(job)
                .previous(now.plusMillis(1))
                .map(PlannedFire::fireTime)
                .filter(fire -> fire.isAfter(planned))
                .orElse(planned);
    }

    /** The fires from {@code first}, which counts even if a calendar excludes it by now, to {@code last}, both included. */
    MissedFires count(JobSpecification job, Instant first, Instant last, MissedFires.Reason reason) {
        long more = first.isBefore(last) ? fires(job).count(first, last, MOST_COUNTED) : 0;
        return new MissedFires(first, last, Math.min(MOST_COUNTED, more + 1), more == MOST_COUNTED, reason);
    }

    /** Where the schedule of a plan goes on: at the change that has carried its fire, or else at the fire. */
    private static Instant base(FirePlan plan) {
        Instant carried = plan.carried();
        return carried == null ? Objects.requireNonNull(plan.nextFireTime()) : carried;
    }

    /** The newest fire of a plan that has passed by then: of the schedule, or else the planned one, which has. */
    Instant newest(JobSpecification job, FirePlan plan, Instant now) {
        if (!job.isRecurring() || isDelayed(job)) {
            // a one-off has no other; behind a fixed delay the next one is counted from the end of the run
            return Objects.requireNonNull(plan.nextFireTime());
        }
        Instant base = base(plan);
        Instant newest = newest(job, base, now);
        return newest.equals(base) ? Objects.requireNonNull(plan.nextFireTime()) : newest;
    }

    /** The first fire of the schedule of a plan after a moment, behind the planned fire. */
    Optional<PlannedFire> nextOf(JobSpecification job, FirePlan plan, Instant after) {
        Instant base = base(plan);
        return next(job, after.isBefore(base) ? base : after);
    }

    /** The fires of a plan, which has passed, to {@code last}, both included. */
    MissedFires count(JobSpecification job, FirePlan plan, Instant last, MissedFires.Reason reason) {
        Instant fire = Objects.requireNonNull(plan.nextFireTime());
        MissedFires all = count(job, base(plan), last.isBefore(base(plan)) ? base(plan) : last, reason);
        return new MissedFires(fire, last, all.count(), all.more(), reason);
    }

    /** How many fires of a plan, whose own has passed, have passed by now; counting ends at {@code most}. */
    public long passed(JobSpecification job, FirePlan plan, Instant now, long most) {
        Instant base = base(plan);
        return base.isBefore(now) && !isDelayed(job) ? fires(job).count(base, now, most) + 1 : 1;
    }

    /** Whether there are more fires than that from the planned one, which has passed, to {@code last}. */
    boolean hasMoreThan(JobSpecification job, FirePlan plan, Instant last, int number) {
        Instant base = base(plan);
        if (!base.isBefore(last)) {
            return false;
        }
        if (job.calendarPolicy() == CalendarPolicy.DROP && !job.calendars().isEmpty()) {
            // these only take fires away, and asking them about each takes long
            SpreadFires all = fires(job, recurrence(job, List.of()));
            if (all.count(base, last, number) < number) {
                return false;
            }
        }
        return fires(job).count(base, last, number) >= number;
    }

    /** The fire at an instant that was planned, with the instant that a calendar has shifted it from. */
    PlannedFire at(JobSpecification job, Instant fireTime) {
        return before(job, fireTime, 0);
    }

    /** The fire that lies {@code steps} fires before {@code newest}. */
    PlannedFire before(JobSpecification job, Instant newest, long steps) {
        SpreadFires recurrence = fires(job);
        PlannedFire at = recurrence
                .previous(newest.plusMillis(1))
                .filter(fire -> fire.fireTime().equals(newest))
                .orElse(new PlannedFire(newest, null));
        for (long i = 0; i < steps; i++) {
            at = recurrence.previous(at.fireTime()).orElse(at);
        }
        return at;
    }

    /**
     * The first of the last fires up to {@code newest} that are so many; there are as many behind the planned one. It is found
     * by counting: a step back takes long where a calendar moves many times of day.
     */
    Instant firstOfLast(JobSpecification job, FirePlan plan, Instant newest, int number) {
        SpreadFires fires = fires(job);
        long near = number + NEAR;
        Instant low = base(plan);
        Instant high = newest;
        long counted = near;
        while (counted == near && Duration.between(low, high).compareTo(Duration.ofMillis(1)) > 0) {
            Instant middle = low.plus(Duration.between(low, high).dividedBy(2));
            long count = fires.count(middle, newest, near);
            if (count < number) {
                high = middle;
            } else {
                low = middle;
                counted = count;
            }
        }
        Instant fire = fires.next(low).orElseThrow().fireTime();
        for (long i = number; i < counted && counted < near; i++) {
            fire = fires.next(fire).orElseThrow().fireTime();
        }
        return fire;
    }

    /** The fire that lies {@code steps} fires before {@code newest} in the fires of a plan that have passed. */
    PlannedFire before(JobSpecification job, FirePlan plan, Instant newest, long steps) {
        Instant carried = plan.carried();
        if (carried == null) {
            return before(job, newest, steps);
        }
        PlannedFire own = new PlannedFire(Objects.requireNonNull(plan.nextFireTime()), plan.nominalFireTime());
        PlannedFire at = newest.isAfter(carried) ? at(job, newest) : own;
        for (long i = 0; i < steps && at != own; i++) {
            PlannedFire earlier = before(job, at.fireTime(), 1);
            boolean ofSchedule =
                    earlier.fireTime().isAfter(carried) && earlier.fireTime().isBefore(at.fireTime());
            at = ofSchedule ? earlier : own;
        }
        return at;
    }

    /** Whether a fire that a calendar excludes is left out; by the other policies it was shifted as it was planned. */
    static boolean drops(JobSpecification job) {
        return job.calendarPolicy() == CalendarPolicy.DROP || isDelayed(job);
    }

    /** Whether the job's calendars, as they are now, include a fire that was planned earlier. */
    boolean isIncluded(JobSpecification job, Instant fireTime) {
        ZoneId zone = zone(job);
        Instant judged = fireTime.minus(StoredFields.spreadOf(job));
        return job.calendars().stream().allMatch(name -> calendar(name).isIncluded(judged, zone));
    }

    /** Whether a calendar leaves out a fire that was planned earlier. */
    boolean isExcluded(JobSpecification job, Instant fireTime) {
        return drops(job) && !isIncluded(job, fireTime);
    }

    /** The job's calendars that exclude an instant; all that apply to it must be known. */
    public List<String> excluding(JobSpecification job, Instant at) {
        ZoneId zone = zone(job);
        return job.calendars().stream()
                .filter(name -> !calendar(name).isIncluded(at.minus(StoredFields.spreadOf(job)), zone))
                .toList();
    }

    /** At most {@code rows} nominal fires after a moment, each with the fire that it leads to. */
    public List<FirePreview> preview(JobSpecification job, Instant after, int rows) {
        if (job.isRecurring()) {
            return fires(job).preview(after, rows);
        }
        FirePreview row = single(job).preview();
        Instant at = row.fireTime() == null ? row.nominalTime() : row.fireTime();
        return rows > 0 && at.isAfter(after) ? List.of(row) : List.of();
    }

    /** The same of a stored job, without its last fire where edited calendars have that once more. */
    public List<FirePreview> preview(StoredJob job, Instant after, int rows) {
        JobSpecification specification = job.specification();
        Instant last = specification.calendars().isEmpty() || !movesForward(specification) ? null : job.lastFireTime();
        Optional<PlannedFire> next = last == null ? Optional.empty() : next(specification, last);
        Instant ended = job.isFireInProgress() ? last : job.plan().endedFire();
        if (last == null || !isAgain(specification, next, ended, job.lastNominal())) {
            return preview(specification, after, rows);
        }
        Instant again = next.orElseThrow().fireTime();
        return preview(specification, after, Math.min(rows + 1, FirePreview.MOST)).stream()
                .filter(row -> !again.equals(row.fireTime()))
                .limit(rows)
                .toList();
    }

    /** At most {@code rows} fires of a job that is stored now, up to the last that {@code maxFires} leaves. */
    public List<FirePreview> previewNew(JobSpecification job, Instant now, int rows) {
        if (rows == 0 || !job.isRecurring() || job.firstFire() != FirstFire.NOW) {
            return upToMaxFires(job, preview(job, now, rows), 0);
        }
        Instant at = now.truncatedTo(ChronoUnit.MILLIS);
        List<FirePreview> all = new ArrayList<>();
        all.add(new FirePreview(local(job, at), at, at, FirePreview.Reason.REGULAR, -1, ""));
        if (!isDelayed(job)) {
            all.addAll(preview(job, now, rows - 1));
        }
        return upToMaxFires(job, all, 0);
    }

    /**
     * The rows of a preview up to the last fire that {@code maxFires} leaves.
     *
     * @param before how many fires come before them
     */
    public static List<FirePreview> upToMaxFires(JobSpecification job, List<FirePreview> rows, long before) {
        Integer most = most(job);
        if (most == null) {
            return rows;
        }
        long left = most - before;
        int shown = 0;
        while (left > 0 && shown < rows.size()) {
            left -= rows.get(shown).fireTime() == null ? 0 : 1;
            shown++;
        }
        return shown == rows.size() ? rows : List.copyOf(rows.subList(0, shown));
    }

    /** After how many fires the job ends; absent = it is not bounded, as no one-off is: its moment is its end. */
    public static @Nullable Integer most(JobSpecification job) {
        return job.isRecurring() ? job.maxFires().orElse(null) : null;
    }

    /**
     * The rows of a preview of a stored job that follow a moment: what has ended and what runs until then counts, and no
     * fire before the planned one. None follows a cancel that is noted.
     */
    public List<FirePreview> upToMaxFires(StoredJob stored, List<FirePreview> rows, Instant now, Instant after) {
        if (stored.requests().cancelRequested()) {
            return List.of();
        }
        JobSpecification job = stored.specification();
        FirePlan plan = stored.plan();
        Integer most = most(job);
        if (most == null) {
            return rows;
        }
        Instant fire = plan.nextFireTime();
        if (fire == null) {
            return upToMaxFires(job, rows, plan.firesEnded());
        }
        if (!fire.isAfter(after)) {
            Instant base = base(plan);
            boolean newestAlone = job.missedFirePolicy().kind() != MissedFirePolicy.Kind.RUN_ALL && base.isBefore(now);
            long others = fires(job).count(newestAlone ? now : base, after, most);
            return upToMaxFires(job, rows, plan.firesEnded() + 1 + others);
        }
        long over = rows.stream()
                .map(FirePreview::fireTime)
                .filter(at -> at != null && at.isBefore(fire))
                .count();
        return upToMaxFires(job, rows, plan.firesEnded() - over);
    }

    /** Whether a recurring job would fire after a moment if its calendars excluded nothing. */
    boolean firesWithoutCalendars(JobSpecification job, Instant after) {
        ExclusionCalendar open = ExclusionCalendar.allOf(List.of());
        Recurrence unhindered =
                recurrence(job, job.calendars().stream().map(name -> open).toList());
        return fires(job, unhindered).next(after).isPresent();
    }

    /** Whether two recurrences have the same text, however it is written; zone, calendars and bounds may differ. */
    public static boolean hasSameText(JobSpecification one, JobSpecification other) {
        return one.isRecurring()
                && other.isRecurring()
                && one.cronDialect() == other.cronDialect()
                && text(one).equals(text(other));
    }

    /** The text of a recurrence, in one of its writings. */
    static String text(JobSpecification job) {
        return Schedule.canonical(job.schedulingSpecification().orElseThrow(), job.cronDialect());
    }

    /** Whether the next fire is counted from the end of the last run. */
    static boolean isDelayed(JobSpecification job) {
        return job.isRecurring() && job.cronDialect() == CronDialect.EVERY_AFTER_END;
    }

    /** The plan of the fire that follows the end of a run, of a job whose anchor is that end. */
    Optional<FirePlan> planAfterEnd(JobSpecification job, FirePlan before) {
        Instant end = Objects.requireNonNull(StoredFields.anchorOf(job));
        Optional<PlannedFire> next = next(job, end);
        return next.isPresent() || isWithoutFire(job, end)
                ? Optional.of(planFrom(job, before, next, end))
                : Optional.empty();
    }

    /** The plan that holds the fire that follows a fire, or none. */
    FirePlan planAfter(JobSpecification job, FirePlan before, Optional<PlannedFire> fire, Instant lastFire) {
        PlanBasis basis = before.basis();
        Instant since = basis == null ? null : basis.since();
        boolean passed = since != null
                && fire.filter(at -> at.fireTime().isBefore(since)).isPresent();
        Instant nominal = nominalOf(job, before, lastFire);
        return plan(job, before, fire, lastFire, local(job, lastFire), nominal, passed ? since : null);
    }

    /** The plan that holds a fire of the schedule behind fires of the plan that were missed. */
    FirePlan planBehind(JobSpecification job, FirePlan before, Optional<PlannedFire> fire, Instant lastMissed) {
        Instant carried = before.carried();
        return carried == null || lastMissed.isAfter(carried)
                ? planAfter(job, before, fire, lastMissed)
                : planFrom(job, before, fire, carried);
    }

    /** The plan that holds the first fire since the schedule was given, or none. */
    FirePlan planFrom(JobSpecification job, FirePlan before, Optional<PlannedFire> fire, Instant given) {
        return planFrom(job, before, fire, given, null);
    }

    /** @param ended the nominal instant of a fire that has ended and is not to be planned again; absent = none */
    FirePlan planFrom(
            JobSpecification job, FirePlan before, Optional<PlannedFire> fire, Instant given, @Nullable Instant ended) {
        boolean passed = fire.filter(at -> at.fireTime().isBefore(given)).isPresent();
        return plan(job, before, fire, given, null, ended, passed ? given : null);
    }

    private FirePlan plan(
            JobSpecification job,
            FirePlan before,
            Optional<PlannedFire> fire,
            Instant after,
            @Nullable LocalDateTime afterLocal,
            @Nullable Instant afterNominal,
            @Nullable Instant madeDue) {
        Instant from = fire.map(PlannedFire::fireTime).orElse(after);
        Instant since = StartDeadline.mayApply(job) ? madeDue : null;
        PlanBasis basis = isInstant(job) && since == null
                ? null
                : new PlanBasis(
                        ZoneRulesVersion.of(zone(job)),
                        local(job, from),
                        after,
                        afterLocal,
                        afterNominal,
                        since,
                        versions(job));
        return fire.map(at -> before.moveTo(at.fireTime(), at.nominalFireTime(), basis))
                .orElseGet(() -> before.moveTo(null, null, basis));
    }

    /**
     * The planned fire as an instant to count the next ones from (rule T6). If the zone's rules have changed since it
     * was planned, a fixed-time expression goes on from its wall time, so that no wall time fires twice; an interval
     * expression goes on from its instant, so that no instant is left out.
     */
    Instant anchor(JobSpecification job, FirePlan plan) {
        Instant fire = Objects.requireNonNull(plan.nextFireTime());
        PlanBasis basis = plan.basis();
        return basis == null || !job.isRecurring() ? fire : anchor(job, fire, basis.local());
    }

    private Instant anchor(JobSpecification job, Instant fire, LocalDateTime meant) {
        if (local(job, fire).equals(meant) || !schedule(job).isFixedTime()) {
            return fire;
        }
        Instant moved = LocalMoments.resolve(meant, zone(job));
        return moved.isAfter(fire) ? moved : fire;
    }

    private Map<String, Long> versions(JobSpecification job) {
        return job.calendars().isEmpty()
                ? Map.of()
                : job.calendars().stream()
                        .distinct()
                        .collect(Collectors.toMap(
                                Function.identity(),
                                name -> calendars.versions().getOrDefault(name, PlanBasis.DECLARED)));
    }

    /**
     * Whether a plan was made from an older version of a calendar than this planner has (rule N9); so is one from a stored
     * calendar that code declares by now, or the other way round.
     *
     * @param plannedBy the versions of its calendars
     */
    public boolean isOlder(Map<String, Long> plannedBy) {
        return !plannedBy.isEmpty()
                && plannedBy.entrySet().stream().anyMatch(then -> {
                    Long own = calendars.versions().get(then.getKey());
                    return own == null
                            ? then.getValue() > PlanBasis.DECLARED
                                    && calendars.byName().containsKey(then.getKey())
                            : then.getValue() < own;
                });
    }

    /** The same of the plan of a job. */
    public boolean isOlder(StoredJob job) {
        return isOlder(job.plannedBy());
    }

    /** Whether a plan was made from a newer version of a stored calendar than this planner has. */
    public boolean isNewer(StoredJob job) {
        Map<String, Long> plannedBy = job.plannedBy();
        return !plannedBy.isEmpty()
                && plannedBy.entrySet().stream()
                        .anyMatch(then ->
                                calendars.versions().getOrDefault(then.getKey(), Long.MAX_VALUE) < then.getValue());
    }

    /** A plan that {@link #planAnew} leaves as it is, made from today's calendars. */
    FirePlan asOfToday(JobSpecification job, FirePlan plan) {
        PlanBasis basis = plan.basis();
        return basis == null ? plan : plan.on(basis.by(versions(job)));
    }

    /** Whether a plan was made with older rules of the job's zone than this JVM has. */
    public static boolean hasOldRules(JobSpecification job, FirePlan plan) {
        PlanBasis basis = plan.basis();
        return basis != null
                && plan.carried() == null
                && basis.zoneRules().compareTo(ZoneRulesVersion.of(zone(job))) < 0;
    }

    /**
     * The plan computed again from the previous fire, with today's zone rules and calendars; empty if it is the same, or if
     * the fire is carried, which nothing moves.
     *
     * @param now when: a fire that has passed by then is due since now, unless the former one was due before
     */
    Optional<FirePlan> planAnew(JobSpecification job, FirePlan plan, Instant now) {
        PlanBasis basis = plan.basis();
        if (isInstant(job) || plan.carried() != null || basis == null && job.isRecurring()) {
            return Optional.empty();
        }
        LocalDateTime meant = basis == null ? null : basis.afterLocal();
        Instant given = basis == null ? job.singleSchedule().orElseThrow() : basis.after();
        Instant from = meant == null ? given : anchor(job, given, meant);
        Optional<PlannedFire> fire = firstOf(job, plan, from);
        boolean same = Objects.equals(
                plan.nextFireTime(), fire.map(PlannedFire::fireTime).orElse(null));
        if (same) {
            return Optional.empty();
        }
        Instant planned = plan.nextFireTime();
        Instant before = planned == null ? now : StartDeadline.dueSince(plan, planned);
        Instant due = before.isAfter(now) ? now : before;
        boolean passed = fire.filter(at -> at.fireTime().isBefore(due)).isPresent();
        Instant nominal = basis == null ? null : basis.afterNominal();
        return Optional.of(plan(job, plan, fire, from, meant, nominal, passed ? due : null));
    }

    /**
     * Whether the job has no fire after the instant only because of its calendars, as far as was searched. A job whose
     * end was reached by the search is over, and not without a fire.
     */
    boolean isWithoutFire(JobSpecification job, Instant after) {
        return job.isRecurring()
                && !job.calendars().isEmpty()
                && job.endAt().filter(end -> !end.isAfter(after.plus(HORIZON))).isEmpty()
                && recurrence(job, List.of()).next(after).isPresent()
                && next(job, after).isEmpty();
    }

    /** A one-off whose moment nothing can move. */
    private static boolean isInstant(JobSpecification job) {
        return !job.isRecurring()
                && job.singleScheduleLocal().isEmpty()
                && job.calendars().isEmpty();
    }

    private Recurrence recurrence(JobSpecification job) {
        return recurrence(job, chain(job));
    }

    private List<ExclusionCalendar> chain(JobSpecification job) {
        return job.calendars().stream().map(this::calendar).toList();
    }

    private Recurrence recurrence(JobSpecification job, List<ExclusionCalendar> chain) {
        return new Recurrence(
                schedule(job),
                zone(job),
                job.daylightSavingPolicy(),
                chain,
                job.calendarPolicy(),
                job.startAt().orElse(null),
                job.endAt().orElse(null));
    }

    private ExclusionCalendar calendar(String name) {
        return calendars
                .find(name)
                .orElseThrow(() -> new IllegalArgumentException("calendar '" + name + "' is not known to this node"));
    }

    private static LocalDateTime local(JobSpecification job, Instant instant) {
        return LocalDateTime.ofInstant(instant, zone(job));
    }

    private SpreadFires fires(JobSpecification job) {
        return fires(job, recurrence(job));
    }

    private static SpreadFires fires(JobSpecification job, Recurrence recurrence) {
        return new SpreadFires(
                recurrence, StoredFields.spreadOf(job), job.endAt().orElse(null));
    }

    /** What the job's text says; steps are counted from the job's anchor. */
    private Schedule schedule(JobSpecification job) {
        String text = job.schedulingSpecification().orElseThrow();
        CronDialect dialect = job.cronDialect();
        if (dialect == CronDialect.EVERY || dialect == CronDialect.EVERY_AFTER_END) {
            return Schedule.parse(text, dialect, anchor(job));
        }
        return search.parse(text, dialect);
    }

    /** The contents as a change would store them now: other steps or delays are counted anew. */
    public static JobSpecification counted(JobSpecification given, JobSpecification stored, Instant now) {
        return Anchors.anchored(given, given.startAt().orElse(null), now, stored);
    }

    /** The moment from which steps are counted; the last change if the document has no anchor. */
    private static Instant anchor(JobSpecification job) {
        Instant anchor = StoredFields.anchorOf(job);
        return anchor == null ? job.latestUpdate().orElse(Instant.EPOCH) : anchor;
    }

    private static ZoneId zone(JobSpecification job) {
        return Objects.requireNonNull(job.zoneId(), "a stored job has a zone");
    }
}
