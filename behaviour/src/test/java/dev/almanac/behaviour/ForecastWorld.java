package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;

import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireReport;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StoredFields;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.ForecastRun;
import dev.almanac.web.read.Forecaster;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of all kinds around a clock change, in virtual time and without faults: a forecast is made of them, and then they
 * run through its window. Everything from one seed.
 */
final class ForecastWorld {
    private static final List<String> ZONES = List.of(
            "Europe/Brussels",
            "America/New_York",
            "Australia/Lord_Howe",
            "Asia/Beirut",
            "America/Santiago",
            "Europe/London");
    private static final Duration BEFORE = Duration.ofHours(3);
    private static final int JOBS = 8;

    /** When a job is wanted, as its expression says it. */
    record Times(
            Set<Integer> hours,
            Set<Integer> minutes,
            boolean fixed,
            @Nullable Duration step) {
        boolean wanted(LocalDateTime shown) {
            return hours.contains(shown.getHour()) && minutes.contains(shown.getMinute());
        }
    }

    /**
     * A job, as it was drawn.
     *
     * @param times absent = it has one fire at a time
     * @param lasts how long each of its runs goes on
     * @param bad whether each of its runs fails, and is tried again once
     */
    record Drawn(String key, @Nullable Times times, Duration lasts, boolean bad) {}

    /** A pause, and the jobs that it holds. */
    record Held(Pause pause, PauseScope scope, Instant begin) {
        boolean of(StoredJob job) {
            return scope.equals(PauseScope.job(job.key()))
                    || scope instanceof PauseScope.Everything
                    || job.specification().tags().stream().anyMatch(tag -> scope.equals(PauseScope.tag(tag)));
        }

        boolean holds(StoredJob job, Instant at) {
            return of(job) && !at.isBefore(begin) && !pause.hasEnded(at);
        }
    }

    /** So short that a pause seldom begins or ends between a fire and its spread. */
    private static final Duration SPREAD = Duration.ofSeconds(2);

    static final Duration RETRY = Duration.ofMinutes(10);
    /** From one look of the node at what is due to the next. */
    static final Duration LOOK = VirtualTime.FAST.pollInterval();

    final World world;
    final Map<String, Drawn> drawn = new LinkedHashMap<>();
    final List<Held> pauses = new ArrayList<>();
    final Map<String, ExclusionCalendar> calendars = new HashMap<>();
    /** As they were when the forecast was made. */
    final Map<String, StoredJob> jobs = new HashMap<>();
    /** Of each job, by the first fire of each account; all without the spread, which delays nothing in a forecast. */
    final Map<String, TreeMap<Instant, FireAccount>> accounts = new HashMap<>();

    final Map<String, Forecast> forecasts = new HashMap<>();
    final Forecast forecast;
    final int slots;
    final Instant now;
    final Instant from;
    final Instant until;

    private final SplittableRandom random;
    private final ZoneId zone;
    private final Scheduler client;

    ForecastWorld(long seed) {
        random = new SplittableRandom(seed);
        world = new World(seed, InMemoryJobStore::new);
        zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
        Instant change = zone.getRules()
                .nextTransition(START.plus(Duration.ofDays(random.nextInt(300))))
                .getInstant();
        now = change.minusSeconds(random.nextInt(16 * 3600));
        from = random.nextInt(3) == 0 ? now.plusSeconds(random.nextInt(2 * 3600)) : now;
        until = from.plusSeconds(random.nextInt(5 * 3600, 18 * 3600));
        slots = random.nextInt(1, 4);
        client = world.client(builder -> builder.calendarReader(
                definition -> CalendarDefinition.of(definition).calendar()));
        pass(now.minus(BEFORE));
        putCalendars();
        for (int i = 0; i < JOBS; i++) {
            draw("job-" + i);
        }
        world.work = call -> {
            Drawn job = Objects.requireNonNull(drawn.get(call.job()));
            return job.bad()
                    ? CompletableFuture.failedFuture(new IllegalStateException("planned"))
                    : job.lasts().isZero() ? CompletableFuture.completedFuture(null) : world.after(job.lasts());
        };
        world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(VirtualTime.FAST)
                        .calendarReader(
                                definition -> CalendarDefinition.of(definition).calendar()));
        pass(now.minusSeconds(random.nextInt(7_000)));
        drawPauses();
        pass(now);
        world.store.list(JobQuery.all().limit(1_000)).jobs().forEach(job -> jobs.put(job.key(), job));
        jobs.keySet().forEach(key -> forecasts.put(key, forecast(key)));
        forecast = forecast(null);
        pass(until.plusSeconds(1));
        world.writeRows();
        jobs.keySet().forEach(this::read);
    }

    private void pass(Instant end) {
        world.pass(Duration.between(world.time.wall(), end));
    }

    private boolean one(int of) {
        return random.nextInt(of) == 0;
    }

    private Instant within() {
        return from.plusSeconds(random.nextLong(Duration.between(from, until).toSeconds()));
    }

    private void putCalendars() {
        LocalDateTime day = LocalDateTime.ofInstant(within(), zone);
        put(
                "bank",
                Map.of(
                        "kind",
                        "Holiday",
                        "exclude-dates",
                        List.of(day.toLocalDate().toString())));
        int hour = random.nextInt(24);
        put(
                "night",
                Map.of(
                        "kind",
                        "Daily",
                        "exclude.start-time",
                        String.format("%02d:15", hour),
                        "exclude.end-time",
                        String.format("%02d:40", (hour + random.nextInt(6)) % 24)));
        put("closed", Map.of("kind", "Weekly", "exclude-days", List.of(random.nextInt(1, 8))));
    }

    private void put(String name, Map<String, Object> definition) {
        client.calendars().put(name, definition);
        calendars.put(name, CalendarDefinition.of(definition).calendar());
    }

    private void draw(String key) {
        JobSpecificationBuilder job = World.job(key).zoneId(one(4) ? ZoneId.of("UTC") : zone);
        Times times = times(job);
        if (times != null) {
            bounds(job, times);
        }
        if (one(5)) {
            job.startDeadline(Duration.ofSeconds(random.nextInt(30, 4 * 3600)));
        }
        if (one(3)) {
            job.tags("t");
        }
        if (one(8)) {
            job.exclusiveGroup("g");
        }
        boolean bad = one(10);
        if (bad) {
            job.retryPolicy(RetryPolicy.fixed(1, RETRY));
        }
        Duration lasts = !bad && one(6) ? Duration.ofMinutes(random.nextInt(1, 200)) : Duration.ZERO;
        try {
            client.scheduleJob(job.build());
            drawn.put(key, new Drawn(key, times, lasts, bad));
        } catch (InvalidJobException neverFires) {
            // of other bounds it would
        }
    }

    private @Nullable Times times(JobSpecificationBuilder job) {
        Set<Integer> hours = numbers(24, one(2) ? 3 : 24);
        Set<Integer> minutes = numbers(60, random.nextInt(1, 4));
        Times wall = new Times(hours, minutes, true, null);
        switch (random.nextInt(10)) {
            case 0 -> {
                job.singleSchedule(within());
                return null;
            }
            case 1 -> {
                job.everyAfterEnd(Duration.ofMinutes(random.nextInt(30, 600)));
                return null;
            }
            case 2 -> {
                Duration step = Duration.ofMinutes(random.nextInt(5, 300));
                job.every(step);
                return new Times(Set.of(), Set.of(), false, step);
            }
            case 3 -> {
                LocalDateTime start = LocalDateTime.ofInstant(now.minus(Duration.ofDays(2)), zone);
                job.rrule("DTSTART:" + start.toLocalDate().toString().replace("-", "")
                        + "T000000 RRULE:FREQ=DAILY;BYHOUR=" + text(hours) + ";BYMINUTE=" + text(minutes)
                        + ";BYSECOND=0");
                return wall;
            }
            case 4, 5 -> {
                job.schedulingSpecification("0 " + text(minutes) + " * * * ?");
                return new Times(numbers(24, 24), minutes, false, null);
            }
            default -> {
                job.schedulingSpecification("0 " + text(minutes) + " " + text(hours) + " * * ?");
                return wall;
            }
        }
    }

    private Set<Integer> numbers(int bound, int count) {
        if (count == bound) {
            return Stream.iterate(0, i -> i + 1).limit(bound).collect(Collectors.toCollection(TreeSet::new));
        }
        return random.ints(count, 0, one(2) ? Math.min(4, bound) : bound)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(Set<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private void bounds(JobSpecificationBuilder job, Times times) {
        job.daylightSavingPolicy(DaylightSavingPolicy.values()[random.nextInt(3)]);
        if (one(2)) {
            job.calendars(
                    Stream.of("bank", "night", "closed").filter(name -> one(2)).toList());
            List<CalendarPolicy> policies = times.step() == null
                    ? List.of(CalendarPolicy.values())
                    : List.of(CalendarPolicy.DROP, CalendarPolicy.NEXT_INCLUDED);
            job.calendarPolicy(policies.get(random.nextInt(policies.size())));
        }
        if (one(6)) {
            job.startAt(within());
        } else if (one(6)) {
            job.endAt(within());
        }
        if (one(5)) {
            job.maxFires(random.nextInt(1, 30));
        }
        job.spread(SPREAD);
        job.missedFirePolicy(List.of(
                        MissedFirePolicy.RUN_LATEST,
                        MissedFirePolicy.SKIP,
                        MissedFirePolicy.RUN_ALL,
                        MissedFirePolicy.runAll(2))
                .get(random.nextInt(4)));
        if (one(5)) {
            job.missedFireGrace(Duration.ofMinutes(random.nextInt(1, 200)));
        }
    }

    private void drawPauses() {
        for (String key : drawn.keySet()) {
            if (one(4) && world.store.find(key, FindScope.LIVE).isPresent()) {
                pause(PauseScope.job(key));
            }
        }
        if (one(2)) {
            pause(PauseScope.tag("t"));
        }
        if (one(6)) {
            pause(new PauseScope.Everything());
        }
    }

    private void pause(PauseScope scope) {
        Pause pause = new Pause("planned", "ann", null);
        Instant begin = one(3) ? world.time.wall() : within();
        if (begin.isAfter(now)) {
            pause = pause.from(begin);
        }
        if (!one(4)) {
            Instant earliest = begin.isAfter(now) ? begin : now;
            pause = pause.until(earliest.plusSeconds(random.nextInt(60, one(2) ? 4_000 : 100_000)));
        }
        client.pause(scope, pause);
        pauses.add(new Held(pause, scope, begin));
    }

    /** @param key absent = of all jobs */
    private Forecast forecast(@Nullable String key) {
        Forecaster forecaster = new Forecaster(
                new Forecaster.Window(now, from, until),
                calendars,
                world.store.cluster().control().pauses(),
                key == null ? slots : -1,
                Forecaster.Effort.OF_PAGE);
        ForecastRun run = new ForecastRun(forecaster, JobQuery.all(), job -> key == null || key.equals(job.key()));
        return Objects.requireNonNull(run.go(world.store::list, () -> 0, 0, Integer.MAX_VALUE));
    }

    /** The window is so short that rows of all its fires are kept. */
    private void read(String key) {
        FireReport report = client.fires(key, now.minus(BEFORE)).orElseThrow();
        TreeMap<Instant, FireAccount> all = accounts.computeIfAbsent(key, any -> new TreeMap<>());
        report.accounts().stream()
                .map(account -> withoutSpread(account, spreadOf(key)))
                .forEach(account -> all.put(account.fireTime(), account));
    }

    Duration spreadOf(String key) {
        return StoredFields.spreadOf(Objects.requireNonNull(jobs.get(key)).specification());
    }

    private static FireAccount withoutSpread(FireAccount of, Duration spread) {
        Instant nominal = of.nominalFireTime();
        return new FireAccount(
                of.fireTime().minus(spread),
                of.last().minus(spread),
                of.count(),
                of.kind(),
                nominal == null ? null : nominal.minus(spread),
                of.outcome(),
                of.at(),
                of.node(),
                of.by(),
                of.detail());
    }

    /** What an expression names, by the clock of its zone: each time it is shown. */
    List<Instant> shown(String key, Instant after, Instant last) {
        StoredJob job = Objects.requireNonNull(jobs.get(key));
        Times times =
                Objects.requireNonNull(Objects.requireNonNull(drawn.get(key)).times());
        List<Instant> shown = new ArrayList<>();
        Duration step = times.step() == null ? Duration.ofMinutes(1) : times.step();
        Instant anchor =
                times.step() == null ? START : Objects.requireNonNull(StoredFields.anchorOf(job.specification()));
        long passed = Math.floorDiv(Duration.between(anchor, after).toMillis(), step.toMillis());
        Instant at = anchor.plus(step.multipliedBy(passed));
        ZoneId own = job.specification().zoneId();
        for (; !at.isAfter(last); at = at.plus(step)) {
            if (at.isAfter(after) && (times.step() != null || times.wanted(LocalDateTime.ofInstant(at, own)))) {
                shown.add(at);
            }
        }
        return shown;
    }
}
