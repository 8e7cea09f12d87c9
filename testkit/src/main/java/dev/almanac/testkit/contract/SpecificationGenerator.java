package dev.almanac.testkit.contract;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FirstFire;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.SpecificationField;
import dev.almanac.model.StoredFields;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws valid specifications for properties: one-offs and recurrences, every optional field present or absent. The
 * same seed gives the same ones. All differ in their keys and have their first fire in the year after {@code base}. They
 * name only the calendars that they are given, since those must be known to the scheduler; some recur by rules of RFC
 * 5545, which a scheduler reads with the module almanac-calendars. Not thread-safe.
 */
public final class SpecificationGenerator {
    private static final List<String> ZONES =
            List.of("UTC", "Europe/Brussels", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "+05:30");
    private static final List<String> TEXTS = List.of("a", "with blanks in it", "a.b*$^", "ключ-鍵-🔑", "x".repeat(256));

    private static final DateTimeFormatter START_OF_RULE =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss", Locale.ROOT);
    private static final List<CalendarPolicy> UNMOVED = List.of(CalendarPolicy.DROP, CalendarPolicy.NEXT_INCLUDED);
    private static final List<CalendarPolicy> MOVING =
            EnumSet.complementOf(EnumSet.of(CalendarPolicy.DROP)).stream().toList();
    private static final Duration EARLIEST_MOVED = Duration.ofDays(10);

    /** Fields that not every value of their type suits, and those that are drawn together with others. */
    private static final Set<String> SPECIAL = Set.of(
            "jobSpecificationKey",
            "jobRequestor",
            "applicationTag",
            "triggerIdentifier",
            "failureIdentifier",
            "schedulingSpecification",
            "cronDialect",
            "firstFire",
            "spread",
            "calendarPolicy",
            "pauseAfterFailures");

    /** As deep as follow-ups may be. */
    private static final int DEEPEST = 5;

    private final SplittableRandom random;
    private final Instant base;
    private final Function<SplittableRandom, ? extends SchedulingCommand> commands;
    private final List<String> calendars;
    private int count;

    /** Specifications with commands as a store sees them, of type "note", version 1. */
    public SpecificationGenerator(long seed, Instant base) {
        this(seed, base, random -> new EncodedCommand("note", 1, Map.of("number", random.nextInt(1_000))));
    }

    /**
     * Specifications with commands of one's own.
     *
     * @param base one-offs lie after it, by a second or more
     * @param commands draws a command
     */
    public SpecificationGenerator(
            long seed, Instant base, Function<SplittableRandom, ? extends SchedulingCommand> commands) {
        this(seed, base, commands, List.of());
    }

    /**
     * The same, with calendars on some jobs.
     *
     * @param calendars names of calendars; they exclude so little that no schedule is left without a fire
     */
    public SpecificationGenerator(
            long seed,
            Instant base,
            Function<SplittableRandom, ? extends SchedulingCommand> commands,
            List<String> calendars) {
        this.random = new SplittableRandom(seed);
        this.base = base.truncatedTo(ChronoUnit.MILLIS);
        this.commands = commands;
        this.calendars = List.copyOf(calendars);
    }

    /** The next specification. */
    public JobSpecification next() {
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey("generated-" + ++count)
                .jobRequestor(oneOf(TEXTS))
                .triggerCommand(commands.apply(random))
                .triggerIdentifier(oneOf(TEXTS))
                .priority(random.nextInt(8))
                .zoneId(ZoneId.of(oneOf(ZONES)))
                .version(1);
        StoredFields.of(job).latestUpdate(base);
        if (random.nextBoolean()) {
            oneOff(job);
        } else {
            recurrence(job);
        }
        plain(job);
        marks(job);
        perhaps(() -> job.onSuccess(followUp(0, 1), followUp(1, 1)));
        perhaps(() -> job.onFailure(followUp(2, 1)));
        return job.build();
    }

    /** In the form in which it is stored, now and then with another one. */
    private JobSpecification followUp(int place, int depth) {
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey("{key}-" + place)
                .jobRequestor(oneOf(TEXTS))
                .triggerCommand(commands.apply(random))
                .triggerIdentifier(oneOf(TEXTS))
                .zoneId(ZoneId.of(oneOf(ZONES)));
        if (random.nextBoolean()) {
            job.now();
        } else {
            oneOff(job);
        }
        plain(job);
        if (depth < DEEPEST && random.nextInt(3) == 0) {
            job.onSuccess(followUp(place, depth + 1));
        }
        return job.build();
    }

    private void oneOff(JobSpecificationBuilder job) {
        Instant fire =
                base.plusMillis(random.nextLong(1_000, Duration.ofDays(300).toMillis()));
        if (random.nextInt(3) == 0) {
            // wall times are unambiguous in this zone, so that the instant is theirs
            StoredFields.of(job.zoneId(ZoneOffset.UTC))
                    .singleSchedule(fire, LocalDateTime.ofInstant(fire, ZoneOffset.UTC));
        } else {
            job.singleSchedule(fire);
        }
        // a one-off that is left out is refused; one that is moved to an earlier date must not lie before the base
        if (fire.isAfter(base.plus(EARLIEST_MOVED))) {
            calendars(job, MOVING);
        }
    }

    private void recurrence(JobSpecificationBuilder job) {
        boolean movable = schedule(job, oneOf(CronDialect.values()));
        perhaps(() -> job.startAt(base.plusMillis(random.nextLong(10_000_000))));
        perhaps(() -> job.endAt(base.plus(Duration.ofDays(800)).plusMillis(random.nextLong(10_000_000))));
        perhaps(() -> job.pauseAfterFailures(1 + random.nextInt(10)));
        job.calendarPolicy(oneOf(CalendarPolicy.values()));
        calendars(job, movable ? List.of(CalendarPolicy.values()) : UNMOVED);
    }

    /**
     * Draws the schedule, and what not every dialect may have.
     *
     * @return whether calendars may move its dates: not those of elapsed time, nor of more than 1,440 times a day
     */
    private boolean schedule(JobSpecificationBuilder job, CronDialect dialect) {
        List<MissedFirePolicy> policies = new ArrayList<>(List.of(MissedFirePolicy.SKIP, MissedFirePolicy.RUN_LATEST));
        if (dialect != CronDialect.EVERY_AFTER_END) {
            policies.add(MissedFirePolicy.runAll(1 + random.nextInt(10_000)));
            perhaps(() -> job.firstFire(FirstFire.NOW));
            perhaps(() -> job.spread(Duration.ofSeconds(1 + random.nextInt(3_600))));
        }
        job.missedFirePolicy(oneOf(policies));
        String text = switch (dialect) {
            case QUARTZ -> quartzCron();
            case UNIX -> unixCron();
            case SPRING -> oneOf(List.of("0 0 2 * * *", "0 30 8-18 * * 1-5", "0 15 6 LW * *", "@daily"));
            case EVERY -> oneOf(List.of("PT90M", "P1D", "P2W", "P1M", "P1Y6M"));
            case EVERY_AFTER_END -> "PT" + (1 + random.nextInt(1_000)) + "M";
            case RRULE -> rule();
        };
        job.cronDialect(dialect).schedulingSpecification(text);
        return !text.startsWith("0/") && !text.startsWith("PT");
    }

    private String rule() {
        LocalDateTime start = LocalDateTime.ofInstant(base, ZoneOffset.UTC).plusHours(48 + random.nextInt(2_000));
        String rule = oneOf(List.of("FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY;BYMONTHDAY=-1"));
        return "DTSTART:" + START_OF_RULE.format(start) + " RRULE:" + rule;
    }

    private void calendars(JobSpecificationBuilder job, List<CalendarPolicy> policies) {
        if (!calendars.isEmpty() && random.nextBoolean()) {
            job.calendars(random.nextBoolean() ? calendars : List.of(oneOf(calendars)))
                    .calendarPolicy(oneOf(policies));
        }
    }

    private String quartzCron() {
        int minute = random.nextInt(60);
        int hour = random.nextInt(24);
        return oneOf(List.of(
                random.nextInt(60) + " " + minute + " " + hour + " * * ?",
                "0/" + (1 + random.nextInt(59)) + " * * * * ?",
                "0 " + minute + " 22-2 ? * MON-FRI",
                "0 " + minute + " " + hour + " L * ?",
                "0 0 " + hour + " ? * " + (1 + random.nextInt(7)) + "#" + (1 + random.nextInt(4)),
                "0 0 " + hour + " " + (1 + random.nextInt(28)) + "W NOV-FEB ?"));
    }

    private String unixCron() {
        int minute = random.nextInt(60);
        int hour = random.nextInt(24);
        return oneOf(List.of(
                minute + " " + hour + " * * *",
                "*/" + (1 + random.nextInt(59)) + " * * * *",
                minute + " " + hour + " 1,15 * fri",
                minute + " 8-18 * * 1-5",
                "@daily"));
    }

    private void plain(JobSpecificationBuilder job) {
        for (SpecificationField field : SpecificationField.all()) {
            Object value = SPECIAL.contains(field.name()) ? null : any(field.type());
            if (value != null && random.nextBoolean()) {
                StoredFields.of(job).set(field, value);
            }
        }
        perhaps(() -> job.failureCommand(commands.apply(random)).failureIdentifier(oneOf(TEXTS)));
        perhaps(() -> job.retryPolicy(retries()));
        perhaps(() -> job.retention(new Retention(millis(), millis(), millis(), millis())));
    }

    /** Any value of a plain type, absent for others. */
    private @Nullable Object any(Class<?> type) {
        if (type == Duration.class) {
            return millis().plusMillis(1);
        } else if (type == String.class) {
            return oneOf(TEXTS);
        } else if (type == Integer.class) {
            return 1 + random.nextInt(1_000);
        }
        return type.isEnum() ? oneOf(type.getEnumConstants()) : null;
    }

    private RetryPolicy retries() {
        Duration first = millis().plusMillis(1);
        List<Supplier<RetryPolicy>> kinds = List.of(
                () -> RetryPolicy.fixed(1 + random.nextInt(20), first),
                () -> RetryPolicy.delays(List.of(first, millis(), millis())),
                () -> RetryPolicy.exponential(
                        1 + random.nextInt(20),
                        first,
                        1 + random.nextDouble() * 4,
                        first.multipliedBy(1 + random.nextInt(99)),
                        random.nextDouble() / (1 + random.nextInt(100_000))));
        return oneOf(kinds).get();
    }

    private void marks(JobSpecificationBuilder job) {
        perhaps(() -> job.tags(oneOf(TEXTS), "tag"));
        perhaps(() -> job.applicationTag(oneOf(TEXTS)));
        perhaps(() -> job.processingContext(new ProcessingContext(oneOf(TEXTS), oneOf(TEXTS), oneOf(TEXTS))));
        perhaps(() -> job.ignoreDefaultCalendar(true));
        perhaps(() -> StoredFields.of(job).calendarsByDefault(true));
    }

    private Duration millis() {
        return Duration.ofMillis(random.nextLong(Duration.ofDays(3).toMillis()));
    }

    private void perhaps(Runnable action) {
        if (random.nextBoolean()) {
            action.run();
        }
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private <T> T oneOf(T[] values) {
        return values[random.nextInt(values.length)];
    }
}
