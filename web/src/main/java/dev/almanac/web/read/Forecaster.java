package dev.almanac.web.read;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.FirePlan;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.Schedule;
import dev.almanac.web.read.Forecast.Finding;
import dev.almanac.web.read.Forecast.Kind;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Forecast} of jobs that are added one by one. Jobs that fire alike share the work, so a million of them need
 * the memory of their different recurrences, of which a bounded number waits at a time. What would take too long is not
 * looked at, and the forecast says so. A spread delays nothing here, but its job takes a part of a slot in each
 * minute that it may fire in. For one thread.
 */
public final class Forecaster {
    /** The longest window. */
    public static final Duration LONGEST = Duration.ofDays(400);

    /** Of a window that was not chosen. */
    public static final Duration USUAL_WINDOW = Duration.ofDays(180);

    private static final int MOST_FINDINGS = 20_000;
    private static final int KEYS = 3;
    /** Of a recurrence with more nominal fires the excluded ones count as dropped, also if they are shifted. */
    private static final int MOST_ROWS = 30_000;
    /** One each minute for 200 days. */
    private static final int MOST_FIRES = 300_000;
    /** So many days of a kind, on most of its weekdays, are one finding. */
    private static final int USUAL = 4;

    /** What a longer gap leaves out is not moved. */
    private static final Duration LONGEST_MOVE = Duration.ofHours(3);

    private static final int HOUR = 60;
    private static final int DAY = 24 * HOUR;

    private final Window window;
    private final Map<String, ExclusionCalendar> calendars;
    private final List<Hold> standing;
    private final List<StandingPause> pauses;
    private final long slots;
    private final Effort effort;
    /** By how much more runs are due in a minute than in the one before; empty if there are no slots to compare with. */
    private final double[] due;

    private final Map<Recurring, Jobs> waiting = new LinkedHashMap<>();
    private final Map<Place, Tally> tallies = new HashMap<>();
    private long work;
    private long jobs;
    private long blocked;
    private long unknown;
    private long often;
    private long unexamined;
    private long leftOut;

    /**
     * What is asked.
     *
     * @param now by the server's clock
     * @param from not before now
     * @param until not more than {@link #LONGEST} after {@code from}
     */
    public record Window(Instant now, Instant from, Instant until) {
        /** @throws IllegalArgumentException if its end is not after its beginning, or it is too long */
        public Window {
            if (!until.isAfter(from) || Duration.between(from, until).compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("a forecast is of at most " + LONGEST.toDays() + " days");
            }
        }

        /** Of a length from now on. */
        public static Window ahead(Instant now, Duration length) {
            return new Window(now, now, now.plus(length));
        }

        private boolean has(Instant at) {
            return at.isAfter(from) && !at.isAfter(until);
        }
    }

    /**
     * What a forecast may take.
     *
     * @param waiting how many different recurrences wait in memory, of less than a kilobyte each; of more, the fires of some
     *     are looked at repeatedly
     * @param fires how many are looked at in all, a million in about a second
     */
    public record Effort(int waiting, long fires) {
        /** Of a page: several share the memory of a service. */
        public static final Effort OF_PAGE = new Effort(10_000, 3_000_000);

        /** Of a process of its own. */
        public static final Effort OF_COMMAND = new Effort(50_000, 100_000_000);
    }

    /**
     * A pause that holds jobs.
     *
     * @param end absent = it has none
     * @param shown the moment of the finding, which may be before its beginning; absent = it is none, since neither its
     *     beginning nor its end is to come
     */
    private record Hold(
            Instant begin, @Nullable Instant end, @Nullable Instant shown, String cause) {
        static Hold of(StandingPause standing, Window window) {
            Pause pause = standing.pause();
            String reason = pause.reason().isBlank() ? "" : " (" + pause.reason() + ")";
            String cause = "pause of "
                    + (standing.scope() instanceof PauseScope.Everything ? "every job" : standing.scope()) + reason
                    + (pause.until() == null ? ", no end" : ", until " + pause.until());
            return of(pause, standing.begins(), standing.begins(), cause, window);
        }

        /** Those of single jobs that begin on a day are one finding. */
        static Hold ofJob(Pause pause, Window window) {
            Instant begin = pause.from() == null ? Instant.EPOCH : pause.from();
            return of(pause, begin, begin.truncatedTo(ChronoUnit.DAYS), "pauses of single jobs", window);
        }

        private static Hold of(Pause pause, Instant begin, Instant day, String cause, Window window) {
            boolean known = pause.isPlanned(window.now()) || pause.until() != null;
            Instant shown = day.isBefore(window.from()) ? window.from() : day;
            return new Hold(begin, pause.until(), known ? shown : null, cause);
        }

        boolean holds(Instant at) {
            return !at.isBefore(begin) && (end == null || at.isBefore(end));
        }
    }

    /**
     * What a job does with the fires that a pause has held, once it is over (rules S3, S4).
     *
     * @param deadline absent = there is none
     */
    private record Late(
            MissedFirePolicy policy,
            Duration grace,
            @Nullable Duration deadline) {
        static Late of(JobSpecification job) {
            Duration grace = job.missedFireGrace().orElse(Duration.ZERO);
            Duration least = SchedulerSettings.defaults().defaultStartDeadline();
            boolean skips = job.isRecurring() && job.missedFirePolicy().kind() == MissedFirePolicy.Kind.SKIP;
            Duration usual = grace.compareTo(least) > 0 ? grace : least;
            return new Late(job.missedFirePolicy(), grace, job.startDeadline().orElse(skips ? usual : null));
        }

        private boolean mayStart(Instant fire, Instant start) {
            return deadline == null || Duration.between(fire, start).compareTo(deadline) <= 0;
        }

        /** @param passed in their order; the newest of all that have passed is among them, unless a newer one is due */
        List<Instant> run(List<Instant> passed, Instant start, boolean newer) {
            List<Instant> onTime = passed.stream()
                    .filter(fire -> Duration.between(fire, start).compareTo(grace) <= 0)
                    .toList();
            int most =
                    policy.kind() == MissedFirePolicy.Kind.RUN_ALL ? policy.cap() : newer || !onTime.isEmpty() ? 0 : 1;
            int late = passed.size() - onTime.size();
            return passed.subList(Math.max(0, late - most), passed.size()).stream()
                    .filter(fire -> mayStart(fire, start))
                    .toList();
        }
    }

    /**
     * All that decides what becomes of the fires of a job.
     *
     * @param endAt of the fire without the spread, as all instants here
     * @param pending its planned fire, where that is to come and lies before the window; absent = the walk needs none
     * @param last the nominal instant of its last fire, where a calendar may have that once more; absent = none does
     */
    private record Recurring(
            String text,
            CronDialect dialect,
            Instant anchor,
            ZoneId zone,
            DaylightSavingPolicy policy,
            List<String> calendars,
            CalendarPolicy calendarPolicy,
            @Nullable Instant startAt,
            @Nullable Instant endAt,
            Duration spread,
            @Nullable Long left,
            @Nullable Instant pending,
            @Nullable Instant last,
            @Nullable Late late,
            List<Hold> holds) {
        Recurrence recurrence(List<ExclusionCalendar> chain) {
            return new Recurrence(
                    Schedule.parse(text, dialect, anchor), zone, policy, chain, calendarPolicy, startAt, endAt);
        }
    }

    /** Jobs that fire alike. */
    private static final class Jobs {
        private long count;
        private final List<String> keys = new ArrayList<>(KEYS);

        void add(String key) {
            count++;
            if (keys.size() < KEYS) {
                keys.add(key);
            }
        }
    }

    /** Where a finding belongs; of the day or the moment one is absent. */
    private record Place(
            Kind kind, @Nullable LocalDate day, @Nullable Instant at, String cause) {}

    /** What was found at a place. */
    private static final class Tally {
        private Instant first = Instant.MAX;
        private long jobs;
        private long fires;
        private int days = 1;
        private final TreeSet<String> keys = new TreeSet<>();

        void add(Instant at, long moreJobs, long moreFires, Collection<String> some) {
            first = at.isBefore(first) ? at : first;
            jobs += moreJobs;
            fires += moreFires;
            keep(some);
        }

        /** Another day of the same. */
        void addDay(Tally other) {
            first = other.first.isBefore(first) ? other.first : first;
            jobs = Math.max(jobs, other.jobs);
            fires += other.fires;
            days += other.days;
            keep(other.keys);
        }

        private void keep(Collection<String> some) {
            keys.addAll(some);
            while (keys.size() > KEYS) {
                keys.pollLast();
            }
        }

        Finding at(Place place) {
            return new Finding(place.kind(), first, place.day(), place.cause(), days, jobs, fires, List.copyOf(keys));
        }
    }

    /** What was found of one recurrence: at each place how many fires, and the first of them. */
    private static final class Found {
        private final Map<Place, Long> fires = new HashMap<>();
        private final Map<Place, Instant> first = new HashMap<>();

        void add(Place place, Instant at, long count) {
            fires.merge(place, count, Long::sum);
            first.merge(place, at, (one, other) -> one.isBefore(other) ? one : other);
        }
    }

    /**
     * @param calendars by name, as far as they are known here
     * @param pauses of kinds of jobs; those that have ended do not count
     * @param slots of all live nodes that claim jobs; 0 = not known, less = not to be compared
     * @param effort what it may take
     */
    public Forecaster(
            Window window,
            Map<String, ExclusionCalendar> calendars,
            List<StandingPause> pauses,
            long slots,
            Effort effort) {
        this.window = window;
        this.calendars = Map.copyOf(calendars);
        this.pauses = pauses.stream()
                .filter(pause -> !pause.isOfNode() && !pause.pause().hasEnded(window.now()))
                .toList();
        this.standing =
                this.pauses.stream().map(pause -> Hold.of(pause, window)).toList();
        this.slots = slots;
        this.due = new double[slots > 0 ? minute(window.until()) + 2 : 0];
        this.effort = effort;
        this.work = effort.fires();
    }

    /** The slots of the live nodes that claim jobs, together; 0 = not known of each. One on standby, or without types, claims none. */
    public static long slots(List<NodeReport> nodes, List<StandingPause> pauses, Instant now) {
        List<NodeReport> live = nodes.stream()
                .filter(node -> node.state(now, pauses) == NodeReport.State.LIVE
                        && !node.types().isEmpty())
                .toList();
        return live.stream().anyMatch(node -> node.slots() == 0)
                ? 0
                : live.stream().mapToLong(NodeReport::slots).sum();
    }

    /** Adds a job; one that has ended, or is to end with its run, has no fires to come, and those of a blocked one are not known. */
    public void add(StoredJob job) {
        if (!job.isLive() || job.requests().cancelRequested()) {
            return;
        }
        if (job.blocked() != null) {
            blocked++;
            return;
        }
        jobs++;
        JobSpecification specification = job.specification();
        List<Hold> holds = holds(job);
        if (!specification.isRecurring() || specification.cronDialect() == CronDialect.EVERY_AFTER_END) {
            next(job, holds);
        } else {
            waiting.computeIfAbsent(recurring(job, holds), same -> new Jobs()).add(job.key());
        }
    }

    private List<Hold> holds(StoredJob job) {
        Pause own = job.requests().pause();
        if (own == null && standing.isEmpty()) {
            return List.of();
        }
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < standing.size(); i++) {
            if (pauses.get(i).holds(job.specification(), job.command().type())) {
                holds.add(standing.get(i));
            }
        }
        if (own != null && !own.hasEnded(window.now())) {
            holds.add(Hold.ofJob(own, window));
        }
        return List.copyOf(holds);
    }

    private Recurring recurring(StoredJob job, List<Hold> holds) {
        JobSpecification specification = job.specification();
        // stored fires have the spread, those of a recurrence have not
        Duration spread = StoredFields.spreadOf(specification);
        Instant next = job.plan().nextFireTime();
        Instant first = next == null ? null : next.minus(spread);
        Instant shared = sharedAnchor(specification);
        boolean passed = next != null && !next.isAfter(window.now());
        boolean waits = passed && isHeldUnbegun(job, holds);
        Instant open = waits ? opening(holds, window.now()) : null;
        boolean opens = open != null && !open.isAfter(window.until());
        boolean all = !holds.isEmpty() || specification.maxFires().isPresent();
        boolean spreads = all && !passed && first != null && !first.isAfter(window.now());
        return new Recurring(
                specification.schedulingSpecification().orElseThrow(),
                specification.cronDialect(),
                shared != null ? shared : anchor(specification),
                shared != null ? ZoneOffset.UTC : specification.zoneId(),
                specification.daylightSavingPolicy(),
                specification.calendars(),
                specification.calendarPolicy(),
                specification
                        .startAt()
                        .filter(start -> start.isAfter(window.now()))
                        .orElse(null),
                specification.endAt().map(end -> end.minus(spread)).orElse(null),
                specification.spread().orElse(Duration.ZERO),
                specification
                        .maxFires()
                        .map(most -> Math.max(0L, most - job.plan().firesEnded() - (passed && !waits ? 1 : 0)))
                        .orElse(null),
                !opens && !spreads ? null : shared == null ? first : first.truncatedTo(ChronoUnit.MINUTES),
                last(job),
                holds.isEmpty() ? null : Late.of(specification),
                holds);
    }

    /** Only policies that move fires forward bring the last one back; what is planned of the same instant is its second pass. */
    private static @Nullable Instant last(StoredJob job) {
        JobSpecification specification = job.specification();
        CalendarPolicy policy = specification.calendarPolicy();
        boolean forward = policy == CalendarPolicy.FOLLOWING || policy == CalendarPolicy.NEXT_INCLUDED;
        Instant last = specification.calendars().isEmpty() || !forward ? null : job.lastNominal();
        return last == null || !job.isFireInProgress() && last.equals(job.plan().nominalFireTime())
                ? null
                : last.minus(StoredFields.spreadOf(specification));
    }

    /** Whether its fire that has passed is judged once its pause is over. */
    private boolean isHeldUnbegun(StoredJob job, List<Hold> holds) {
        FirePlan plan = job.plan();
        boolean begun = job.lease() != null || plan.isBegun() || plan.rerun() || plan.carried() != null;
        return !begun && holding(holds, window.now()) != null;
    }

    /** From where steps are counted; the epoch if there are none. */
    private static Instant anchor(JobSpecification job) {
        Instant stored = StoredFields.anchorOf(job);
        return job.cronDialect() != CronDialect.EVERY
                ? Instant.EPOCH
                : stored != null ? stored : job.latestUpdate().orElse(Instant.EPOCH);
    }

    /**
     * Steps of elapsed whole minutes that fire in the same minutes are counted from the same anchor, so that jobs that were
     * stored at different times share the work; absent = of this job they cannot be.
     */
    private @Nullable Instant sharedAnchor(JobSpecification job) {
        Duration step = elapsed(job.schedulingSpecification().orElseThrow(), job.cronDialect());
        Instant anchor = anchor(job);
        boolean alone = step == null
                || step.toSeconds() % 60 > 0
                || step.getNano() > 0
                || anchor.isAfter(window.now())
                || !job.calendars().isEmpty()
                || job.endAt().isPresent()
                || job.maxFires().isPresent();
        return alone ? null : Instant.ofEpochSecond(Math.floorMod(anchor.getEpochSecond(), step.toSeconds()) / 60 * 60);
    }

    /** The step of elapsed time; absent = it is none. */
    private static @Nullable Duration elapsed(String step, CronDialect dialect) {
        String canonical = dialect == CronDialect.EVERY ? Schedule.canonical(step, dialect) : "";
        return canonical.startsWith("PT") ? Duration.parse(canonical) : null;
    }

    /** Of a one-off, and of a fixed delay, one fire is known. */
    private void next(StoredJob job, List<Hold> holds) {
        Instant at = job.plan().startTime();
        if (at == null || at.isAfter(window.until())) {
            return;
        }
        Instant held = at.isBefore(window.now()) ? window.now() : at;
        Hold hold = holding(holds, held);
        if (hold == null) {
            due(at, 1, Duration.ZERO);
            return;
        }
        if (hold.shown() != null && window.has(at)) {
            tally(place(hold)).add(hold.shown(), 1, 1, List.of(job.key()));
        }
        Instant open = opening(holds, held);
        if (open != null && Late.of(job.specification()).mayStart(at, open)) {
            due(open, 1, Duration.ZERO);
        }
    }

    /** Whether some that wait are to be looked at before more are added. */
    boolean isFull() {
        return waiting.size() >= effort.waiting();
    }

    /** How many fires it may still look at; none if it is not more than 0. */
    long left() {
        return work;
    }

    /** Whether no job waits. */
    boolean isDone() {
        return waiting.isEmpty();
    }

    /** Looks at jobs that wait, for a bounded time. */
    void look(LongSupplier nanos, long patience) {
        long start = nanos.getAsLong();
        Iterator<Map.Entry<Recurring, Jobs>> rest = waiting.entrySet().iterator();
        while (rest.hasNext()) {
            Map.Entry<Recurring, Jobs> next = rest.next();
            look(next.getKey(), next.getValue());
            rest.remove();
            if (nanos.getAsLong() - start > patience) {
                break;
            }
        }
    }

    private void look(Recurring of, Jobs same) {
        if (work <= 0) {
            unexamined += same.count;
            return;
        }
        Found found = new Found();
        try {
            List<ExclusionCalendar> chain = of.calendars().stream()
                    .map(name -> Optional.ofNullable(calendars.get(name))
                            .orElseThrow(() -> new IllegalArgumentException("calendar '" + name + "' is not known")))
                    .toList();
            look(of, of.recurrence(chain), same.count, found);
        } catch (IllegalArgumentException notKnownHere) {
            unknown += same.count;
            return;
        }
        found.fires.forEach((place, fires) -> tally(place)
                .add(
                        Objects.requireNonNull(found.first.get(place)),
                        same.count,
                        place.kind() == Kind.ENDS ? 0 : fires * same.count,
                        same.keys));
    }

    private void look(Recurring of, Recurrence recurrence, long count, Found found) {
        Long left = of.left();
        Instant begin = left == null && of.holds().isEmpty() ? window.from() : window.now();
        Recurrence plain = of.calendars().isEmpty() ? recurrence : of.recurrence(List.of());
        if (of.pending() != null && plain.count(of.pending(), begin, MOST_ROWS) < MOST_ROWS) {
            begin = of.pending().minusNanos(1);
        }
        long nominal = plain.count(begin, window.until(), MOST_FIRES + 1L);
        Walk walk = new Walk(of, recurrence, count, found, left == null ? Long.MAX_VALUE : left);
        boolean asked = slots > 0
                || left != null
                || !of.calendars().isEmpty()
                || !of.holds().isEmpty();
        boolean counted = left != null && of.calendars().isEmpty() && of.holds().isEmpty();
        if (counted) {
            // nothing delays or excludes one of those that are left
            nominal = Math.min(nominal, left);
        }
        if (nominal > MOST_FIRES && left != null) {
            // its end is known only from its fires
            unexamined += count;
        } else if (nominal > MOST_FIRES) {
            often += count;
        } else if (asked && walk.left > 0) {
            walk.go(plain, begin, nominal);
        }
        clockChanges(of, recurrence, walk.isOver() ? walk.last : end(of), found);
        ends(of, recurrence, plain, walk, found);
    }

    /** The last moment of the window that the bounds of a job leave. */
    private Instant end(Recurring of) {
        return of.endAt() == null || of.endAt().isAfter(window.until()) ? window.until() : of.endAt();
    }

    /** The fires of one recurrence in the window, in their order; of what is counted or waits, also those before. */
    private final class Walk {
        private final Recurring of;
        private final Recurrence recurrence;
        private final long count;
        private final Found found;
        /** What one pause, or several that follow each other, hold back until then. */
        private final Map<Instant, Hold> held = new LinkedHashMap<>();

        private @Nullable Instant opening;
        private boolean begun;
        private long left;
        private Instant last = window.from();

        Walk(Recurring of, Recurrence recurrence, long count, Found found, long left) {
            this.of = of;
            this.recurrence = recurrence;
            this.count = count;
            this.found = found;
            this.left = left;
        }

        boolean isOver() {
            return left == 0;
        }

        void go(Recurrence plain, Instant begin, long nominal) {
            boolean drops = of.calendars().isEmpty() || of.calendarPolicy() == CalendarPolicy.DROP;
            if (drops || nominal > MOST_ROWS) {
                oneByOne(plain, begin);
            } else {
                byRows(begin, (int) Math.min(nominal + USUAL, FirePreview.MOST));
            }
            if (left > 0) {
                open(null);
            }
        }

        /** What a calendar excludes counts as dropped; of many fires also if its policy shifts them. */
        private void oneByOne(Recurrence plain, Instant begin) {
            Duration step = elapsed(of.text(), of.dialect());
            Instant at = plain.next(begin).map(PlannedFire::fireTime).orElse(null);
            while (at != null && !at.isAfter(window.until()) && left > 0) {
                work--;
                int calendar = excluding(at);
                if (calendar < 0) {
                    fire(at);
                } else if (window.has(at)) {
                    excluded(Kind.EXCLUDED, at, LocalDate.ofInstant(at, of.zone()), calendar);
                }
                at = step == null || of.endAt() != null
                        ? plain.next(at).map(PlannedFire::fireTime).orElse(null)
                        : at.plus(step);
            }
        }

        private int excluding(Instant at) {
            List<ExclusionCalendar> chain = recurrence.calendars();
            for (int i = 0; i < chain.size(); i++) {
                if (!chain.get(i).isIncluded(at, of.zone())) {
                    return i;
                }
            }
            return -1;
        }

        private void byRows(Instant begin, int size) {
            Instant after = begin;
            boolean more = true;
            while (more && left > 0) {
                List<FirePreview> rows = recurrence.preview(after, size);
                more = rows.size() == size;
                int end = more ? withoutLastMoment(rows) : rows.size();
                for (FirePreview row : rows.subList(0, end)) {
                    work--;
                    after = position(row);
                    if (after.isAfter(window.until()) || left == 0) {
                        return;
                    }
                    row(row);
                }
            }
        }

        private void row(FirePreview row) {
            boolean again =
                    !begun && row.fireTime() != null && row.nominalTime().equals(of.last());
            begun |= row.fireTime() != null;
            if (again) {
                return;
            }
            boolean shifted = row.reason() == FirePreview.Reason.SHIFTED_BY_CALENDAR;
            boolean excluded = row.reason() == FirePreview.Reason.EXCLUDED;
            if ((shifted || excluded) && window.has(position(row))) {
                excluded(
                        Kind.of(row.reason()),
                        row.nominalTime(),
                        row.wantedTime().toLocalDate(),
                        row.calendar());
            }
            if (row.fireTime() != null) {
                fire(row.fireTime());
            }
        }

        private void excluded(Kind kind, Instant at, LocalDate day, int calendar) {
            found.add(new Place(kind, day, null, "calendar " + of.calendars().get(calendar)), at, 1);
        }

        private void fire(Instant at) {
            Instant then = at.isBefore(window.now()) ? window.now() : at;
            Hold hold = holding(of.holds(), then);
            if (hold == null) {
                open(at);
                if (left > 0) {
                    left--;
                    last = at;
                    due(at, count, of.spread());
                }
                return;
            }
            Instant open = opening(of.holds(), then);
            if (!Objects.equals(open, opening)) {
                open(null);
                opening = open;
            }
            if (left > 0 && open != null && !open.isAfter(window.until())) {
                held.put(at, hold);
            } else if (left > 0) {
                held(at, hold);
            }
        }

        private void held(Instant at, Hold hold) {
            if (hold.shown() != null && window.has(at)) {
                found.add(place(hold), hold.shown(), 1);
            }
        }

        /**
         * What becomes of the fires that were held, once they are not any more.
         *
         * @param next the fire that comes then, or later; absent = it is not known here
         */
        private void open(@Nullable Instant next) {
            Instant start = opening;
            if (start != null && of.late() != null) {
                for (Instant fire : of.late().run(List.copyOf(held.keySet()), start, start.equals(next))) {
                    if (left > 0) {
                        left--;
                        last = fire;
                        due(start, count, Duration.ZERO);
                    }
                }
            }
            held.forEach((fire, hold) -> {
                if (left > 0 || !fire.isAfter(last)) {
                    held(fire, hold);
                }
            });
            held.clear();
            opening = null;
        }
    }

    /** Rows of one moment are not parted: how many there are before those of the last one. */
    private static int withoutLastMoment(List<FirePreview> rows) {
        Instant last = position(rows.get(rows.size() - 1));
        int end = rows.size();
        while (end > 1 && position(rows.get(end - 1)).equals(last)) {
            end--;
        }
        return end;
    }

    private static Instant position(FirePreview row) {
        return row.fireTime() == null ? row.nominalTime() : row.fireTime();
    }

    /** What the clock changes of the zone do, up to the last fire. */
    private void clockChanges(Recurring of, Recurrence recurrence, Instant last, Found found) {
        if (of.dialect() == CronDialect.EVERY && !recurrence.schedule().isFixedTime()) {
            return; // it counts elapsed time
        }
        ZoneRules rules = of.zone().getRules();
        ZoneOffsetTransition change = rules.nextTransition(window.from());
        while (change != null && !change.getInstant().isAfter(last)) {
            clockChange(of, recurrence, change, found);
            change = rules.nextTransition(change.getInstant());
        }
    }

    private void clockChange(Recurring of, Recurrence recurrence, ZoneOffsetTransition change, Found found) {
        Duration length = change.getDuration().abs();
        Instant at = change.getInstant();
        Set<Instant> firstPass = new HashSet<>();
        String cause = cause(of.zone(), change);
        for (FirePreview row : rows(
                recurrence,
                at.minus(change.isOverlap() ? length : Duration.ZERO).minusNanos(1),
                at.plus(length))) {
            work--;
            Instant fire = row.fireTime();
            boolean seen = !position(row).isAfter(window.until());
            switch (row.reason()) {
                case MOVED_BY_GAP, SECOND_PASS_DROPPED -> {
                    if (seen) {
                        found.add(new Place(Kind.of(row.reason()), null, at, cause), at, 1);
                    }
                }
                default -> {
                    if (fire != null && fire.isBefore(at)) {
                        firstPass.add(fire);
                    } else if (seen && fire != null && firstPass.contains(fire.minus(length))) {
                        found.add(new Place(Kind.DOUBLED, null, at, cause), at, 1);
                    }
                }
            }
        }
        long lost = change.isGap() ? lost(of, recurrence, change) : 0;
        if (lost > 0) {
            found.add(new Place(Kind.LOST_IN_GAP, null, at, cause), at, lost);
        }
    }

    /**
     * How many wall times are left out: of a fixed time each, unless it is moved; of an interval only if all of the day are,
     * since the others come at their distance all the same.
     */
    private static long lost(Recurring of, Recurrence recurrence, ZoneOffsetTransition change) {
        Schedule schedule = recurrence.schedule();
        boolean moved = schedule.isFixedTime()
                && of.policy() == DaylightSavingPolicy.RUN_ONCE
                && change.getDuration().compareTo(LONGEST_MOVE) < 0;
        boolean out = of.startAt() != null && change.getInstant().isBefore(of.startAt())
                || !recurrence.calendars().stream().allMatch(each -> each.isIncluded(change.getInstant(), of.zone()));
        if (moved
                || out
                || !schedule.isFixedTime() && comesOn(change.getDateTimeBefore().toLocalDate(), of, schedule)) {
            return 0;
        }
        Instant anchor = LocalDateTime.ofInstant(of.anchor(), of.zone()).toInstant(ZoneOffset.UTC);
        Recurrence shown = unbounded(Schedule.parse(of.text(), of.dialect(), anchor), ZoneOffset.UTC, of);
        return shown.count(wall(change.getDateTimeBefore()), wall(change.getDateTimeAfter()), MOST_FIRES);
    }

    private static boolean comesOn(LocalDate day, Recurring of, Schedule schedule) {
        Instant begin = day.atStartOfDay(of.zone()).toInstant().minusNanos(1);
        Instant end = day.plusDays(1).atStartOfDay(of.zone()).toInstant().minusNanos(1);
        return unbounded(schedule, of.zone(), of).count(begin, end, 1) > 0;
    }

    private static Recurrence unbounded(Schedule schedule, ZoneId zone, Recurring of) {
        return new Recurrence(schedule, zone, of.policy(), List.of(), CalendarPolicy.DROP, null, null);
    }

    private static Instant wall(LocalDateTime shown) {
        return shown.toInstant(ZoneOffset.UTC).minusNanos(1);
    }

    private static String cause(ZoneId zone, ZoneOffsetTransition change) {
        LocalDateTime one = change.getDateTimeBefore();
        LocalDateTime other = change.getDateTimeAfter();
        return zone.getId() + ": "
                + (change.isGap()
                        ? one.toLocalTime() + " to " + other.toLocalTime() + " is left out"
                        : other.toLocalTime() + " to " + one.toLocalTime() + " is shown twice");
    }

    /** Rows of a short time. */
    private static List<FirePreview> rows(Recurrence recurrence, Instant after, Instant until) {
        int size = USUAL;
        while (true) {
            List<FirePreview> rows = recurrence.preview(after, size);
            boolean over = rows.size() < size
                    || position(rows.get(rows.size() - 1)).isAfter(until)
                    || size == FirePreview.MOST;
            if (over) {
                return rows.stream()
                        .filter(row -> !position(row).isAfter(until))
                        .toList();
            }
            size = Math.min(size * 10, FirePreview.MOST);
        }
    }

    private void ends(Recurring of, Recurrence recurrence, Recurrence plain, Walk walk, Found found) {
        Instant last = walk.last;
        String cause = "maxFires";
        if (!walk.isOver()) {
            if (recurrence.next(window.until()).isPresent()) {
                return;
            }
            last = recurrence
                    .previous(window.until().plusMillis(1))
                    .filter(fire -> of.last() == null || !of.last().equals(fire.nominalFireTime()))
                    .map(PlannedFire::fireTime)
                    .filter(window::has)
                    .orElse(window.from());
            cause = of.endAt() != null
                    ? "endAt"
                    : plain.next(window.until()).isPresent()
                            ? "its calendars exclude all later fires"
                            : of.dialect() == CronDialect.RRULE ? "the end of the rule" : "the years of the schedule";
        }
        boolean none = !window.has(last);
        Instant shown = none ? window.from() : last;
        LocalDate day = LocalDate.ofInstant(shown, of.zone());
        found.add(new Place(Kind.ENDS, day, null, none ? "no fire is left: " + cause : cause), shown, 1);
    }

    private static @Nullable Hold holding(List<Hold> holds, Instant at) {
        for (Hold hold : holds) {
            if (hold.holds(at)) {
                return hold;
            }
        }
        return null;
    }

    /** When no pause holds back what was due then; absent = one without an end does. */
    private static @Nullable Instant opening(List<Hold> holds, Instant due) {
        Instant at = due;
        // each pause is left at most once
        for (int i = 0; i <= holds.size() && at != null; i++) {
            Hold hold = holding(holds, at);
            if (hold == null) {
                return at;
            }
            at = hold.end();
        }
        return at;
    }

    private static Place place(Hold hold) {
        return new Place(Kind.PAUSED, null, hold.shown(), hold.cause());
    }

    private Tally tally(Place place) {
        Tally there = tallies.get(place);
        if (there == null) {
            there = new Tally();
            if (tallies.size() < MOST_FINDINGS) {
                tallies.put(place, there);
            } else {
                leftOut++;
            }
        }
        return there;
    }

    private int minute(Instant at) {
        return (int) Duration.between(window.from().truncatedTo(ChronoUnit.MINUTES), at)
                .toMinutes();
    }

    /** A spread job is due in one minute of its spread; each of them counts a part of it. */
    private void due(Instant at, long count, Duration spread) {
        if (slots <= 0 || !window.has(at)) {
            return;
        }
        int minutes = (int) Math.max(1, spread.toMinutes());
        double each = (double) count / minutes;
        int first = minute(at);
        due[first] += each;
        due[Math.min(first + minutes, due.length - 1)] -= each;
    }

    /**
     * The answer, once no job waits.
     *
     * @param damaged how many jobs could not be read
     */
    Forecast forecast(long damaged) {
        List<Finding> findings = new ArrayList<>(usual());
        tallies.forEach((place, tally) -> findings.add(tally.at(place)));
        findings.addAll(overSlots());
        findings.sort(
                Comparator.comparing(Finding::at).thenComparing(Finding::kind).thenComparing(Finding::cause));
        return new Forecast(window.from(), window.until(), jobs, findings, gaps(damaged));
    }

    private List<String> gaps(long damaged) {
        List<String> gaps = new ArrayList<>();
        said(gaps, damaged, "cannot be read");
        said(
                gaps,
                blocked,
                blocked == 1
                        ? "blocked, and runs nothing until it is repaired"
                        : "blocked, and run nothing until they are repaired");
        said(
                gaps,
                unknown,
                "cannot be planned here, since a calendar or schedule is not known to this process, or fails");
        said(gaps, often, "fire more often than each minute; only their clock changes and ends were looked at");
        said(gaps, unexamined, "were not looked at, since it would take too long");
        if (leftOut > 0) {
            gaps.add("there are more than " + MOST_FINDINGS + " findings; the others are left out");
        }
        if (slots == 0) {
            gaps.add("no claiming node has reported its slots, so minutes with too many runs are not known");
        }
        return gaps;
    }

    private static void said(List<String> gaps, long count, String what) {
        if (count > 0) {
            gaps.add(count + (count == 1 ? " job: " : " jobs: ") + what);
        }
    }

    /** Takes out what a calendar excludes on nearly each day of a week, such as weekends: one finding for all of them. */
    private List<Finding> usual() {
        Map<Place, Map<DayOfWeek, List<Place>>> weekdays = new HashMap<>();
        for (Place place : tallies.keySet()) {
            if (place.day() != null && place.kind() != Kind.ENDS) {
                weekdays.computeIfAbsent(new Place(place.kind(), null, null, place.cause()), all -> new TreeMap<>())
                        .computeIfAbsent(place.day().getDayOfWeek(), day -> new ArrayList<>())
                        .add(place);
            }
        }
        List<Finding> usual = new ArrayList<>();
        long weeks = Duration.between(window.from(), window.until()).toDays() / 7;
        weekdays.forEach((all, days) -> {
            days.values().removeIf(places -> places.size() < USUAL || places.size() * 4L < weeks * 3);
            if (!days.isEmpty()) {
                usual.add(usual(all, days));
            }
        });
        return usual;
    }

    private Finding usual(Place all, Map<DayOfWeek, List<Place>> days) {
        List<Place> places = days.values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(place -> Objects.requireNonNull(place.day())))
                .toList();
        Tally sum = Objects.requireNonNull(tallies.remove(places.get(0)));
        places.subList(1, places.size()).forEach(place -> sum.addDay(Objects.requireNonNull(tallies.remove(place))));
        String names = days.size() == 7
                ? "day"
                : days.keySet().stream()
                        .map(day -> day.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
                        .collect(Collectors.joining(" and "));
        return sum.at(new Place(all.kind(), places.get(0).day(), null, all.cause() + ", each " + names));
    }

    /** Minutes with too many, of which those within an hour of each other are one finding, and those at one time of many days. */
    private List<Finding> overSlots() {
        if (slots <= 0) {
            return List.of();
        }
        Map<Integer, List<Finding>> byTime = new TreeMap<>();
        Instant start = window.from().truncatedTo(ChronoUnit.MINUTES);
        int offset = (int) (start.getEpochSecond() / 60 % DAY);
        double now = 0;
        int first = -1;
        int last = -1;
        int minutes = 0;
        double most = 0;
        for (int i = 0; i < due.length; i++) {
            now += due[i];
            boolean over = i < due.length - 1 && now > slots + 0.001;
            if (first >= 0 && (i == due.length - 1 || over && i - last > HOUR)) {
                byTime.computeIfAbsent((first + offset) % DAY, time -> new ArrayList<>())
                        .add(overSlots(start, first, last, minutes, most));
                first = -1;
            }
            if (over) {
                minutes = first < 0 ? 1 : minutes + 1;
                most = first < 0 ? now : Math.max(most, now);
                first = first < 0 ? i : first;
                last = i;
            }
        }
        List<Finding> findings = new ArrayList<>();
        byTime.values().forEach(days -> findings.addAll(days.size() < USUAL ? days : List.of(worst(days))));
        return findings;
    }

    private Finding overSlots(Instant start, int first, int last, int minutes, double most) {
        long due = (long) Math.ceil(most - 0.001);
        String cause = due + " in a minute, " + slots + " slots"
                + (minutes == 1 ? "" : ", in " + minutes + " minutes until " + start.plusSeconds(60L * last));
        int days = last / DAY - first / DAY + 1;
        return new Finding(Kind.OVER_SLOTS, start.plusSeconds(60L * first), null, cause, days, 0, due, List.of());
    }

    private Finding worst(List<Finding> days) {
        Finding worst = days.stream().max(Comparator.comparing(Finding::fires)).orElseThrow();
        Finding first = days.get(0);
        return new Finding(
                Kind.OVER_SLOTS,
                first.at(),
                null,
                "at this time of " + days.size() + " days, at most " + worst.cause(),
                days.stream().mapToInt(Finding::days).sum(),
                0,
                worst.fires(),
                List.of());
    }
}
