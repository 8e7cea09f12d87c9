package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule C4 against an oracle that writes down every nominal fire and moves each by the words of the rule. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RecurrenceOracleTest {
    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "Pacific/Apia",
            "Australia/Lord_Howe",
            "Antarctica/Casey",
            "America/Sao_Paulo",
            "America/St_Johns");

    @Test
    @DisplayName("C4: all six policies, next, previous and count, over two years with clock changes")
    void C4_random() {
        assertThat(compared(100)).isGreaterThan(3_000);
    }

    @Test
    @Tag("long")
    @DisplayName("C4: the same, of further expressions")
    void C4_randomLong() {
        assertThat(compared(400)).isGreaterThan(15_000);
    }

    /** The fires of so many expressions, the same ones each time. */
    private static int compared(int expressions) {
        Random random = new Random(20268);
        int fires = 0;
        for (int i = 0; i < expressions; i++) {
            RandomCron cron = new RandomCron(random, CronDialect.values()[i % 2], random.nextInt(4));
            if (cron.times().size() <= 8) {
                fires += compare(random, cron, CalendarPolicy.values()[random.nextInt(6)]);
            }
        }
        return fires;
    }

    private static int compare(Random random, RandomCron cron, CalendarPolicy policy) {
        ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
        DaylightSavingPolicy clock = DaylightSavingPolicy.values()[random.nextInt(3)];
        int year = zone.getId().equals("Pacific/Apia") ? 2011 : 2009 + random.nextInt(12);
        Oracle oracle = new Oracle(cron, zone, clock, calendar(random), policy, LocalDate.of(year, 1, 1));
        Recurrence recurrence = new Recurrence(
                CronExpression.parse(cron.text, cron.dialect),
                zone,
                clock,
                List.of(oracle.calendar),
                policy,
                null,
                null);
        String name = cron + " " + zone + " " + clock + " " + oracle.calendar.description() + " " + policy + " " + year;
        List<Instant> expected = oracle.fires();
        assertThat(forwards(recurrence, oracle.first(), oracle.last())).as(name).isEqualTo(expected);
        List<Instant> backwards = backwards(recurrence, oracle.first(), oracle.last());
        Collections.reverse(backwards);
        assertThat(backwards).as("backwards " + name).isEqualTo(expected);
        assertThat(recurrence.count(oracle.first().minusNanos(1), oracle.last(), 1_000_000))
                .as("counted " + name)
                .isEqualTo(expected.size());
        return expected.size();
    }

    static SimpleCalendar calendar(Random random) {
        long salt = random.nextLong();
        int shut = random.nextInt(12) + 1;
        Predicate<LocalDate> weekend = date -> date.getDayOfWeek().getValue() > 5;
        Predicate<LocalDate> holiday =
                date -> Math.floorMod((date.toEpochDay() + salt) * 0x9E3779B97F4A7C15L >> 40, 8) == 0;
        return switch (random.nextInt(5)) {
            case 0 -> SimpleCalendar.weekends();
            case 1 -> SimpleCalendar.dates("weekends and holidays", weekend.or(holiday));
            case 2 -> SimpleCalendar.dates("month " + shut, date -> date.getMonthValue() == shut);
            case 3 -> SimpleCalendar.times("0" + random.nextInt(3) + ":15", "0" + (3 + random.nextInt(4)) + ":30");
            default -> new SimpleCalendar("both", weekend, LocalTime.of(1, 0), LocalTime.of(2, 20));
        };
    }

    private static List<Instant> forwards(Recurrence recurrence, Instant first, Instant last) {
        List<Instant> fires = new ArrayList<>();
        Optional<PlannedFire> fire = recurrence.next(first.minusNanos(1));
        while (fire.isPresent() && !fire.get().fireTime().isAfter(last)) {
            fires.add(fire.get().fireTime());
            fire = recurrence.next(fire.get().fireTime());
        }
        return fires;
    }

    private static List<Instant> backwards(Recurrence recurrence, Instant first, Instant last) {
        List<Instant> fires = new ArrayList<>();
        Optional<PlannedFire> fire = recurrence.previous(last.plusNanos(1));
        while (fire.isPresent() && !fire.get().fireTime().isBefore(first)) {
            fires.add(fire.get().fireTime());
            fire = recurrence.previous(fire.get().fireTime());
        }
        return fires;
    }

    private record Oracle(
            RandomCron cron,
            ZoneId zone,
            DaylightSavingPolicy clock,
            SimpleCalendar calendar,
            CalendarPolicy policy,
            LocalDate start) {

        Instant first() {
            return start.atStartOfDay(zone).toInstant();
        }

        Instant last() {
            return start.plusYears(2).atStartOfDay(zone).toInstant();
        }

        List<Instant> fires() {
            TreeSet<Instant> nominal = new TreeSet<>();
            TreeSet<Instant> fires = new TreeSet<>();
            for (LocalDate day = start.minusDays(120); day.isBefore(start.plusDays(900)); day = day.plusDays(1)) {
                for (int time : cron.matchesDate(day) ? cron.times() : List.<Integer>of()) {
                    List<Instant> at = instants(day, time);
                    nominal.addAll(at);
                    if (!at.isEmpty() && policy.ordinal() > CalendarPolicy.NEXT_INCLUDED.ordinal()) {
                        LocalDate target = target(day, time);
                        fires.addAll(target == null ? List.of() : instants(target, time));
                    }
                }
            }
            if (policy.ordinal() <= CalendarPolicy.NEXT_INCLUDED.ordinal()) {
                nominal.forEach(at -> inPlace(at, nominal).ifPresent(fires::add));
            }
            return List.copyOf(fires.subSet(first(), true, last(), true));
        }

        private Optional<Instant> inPlace(Instant at, TreeSet<Instant> nominal) {
            if (calendar.isIncluded(at, zone)) {
                return Optional.of(at);
            }
            Instant next = nominal.higher(at);
            return policy == CalendarPolicy.DROP
                    ? Optional.empty()
                    : calendar.nextIncluded(at, zone).filter(fire -> next == null || fire.isBefore(next));
        }

        private List<Instant> instants(LocalDate day, int time) {
            LocalDateTime local = day.atStartOfDay().plusSeconds(time);
            List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
            boolean fixed = clock == DaylightSavingPolicy.RUN_ONCE && cron.isFixed();
            if (offsets.isEmpty()) {
                ZoneOffsetTransition gap = zone.getRules().getTransition(local);
                return fixed && gap.getDuration().toHours() < 3 ? List.of(gap.getInstant()) : List.of();
            }
            boolean once = fixed || clock == DaylightSavingPolicy.WALL_ONCE;
            return offsets.stream().limit(once ? 1 : 2).map(local::toInstant).toList();
        }

        private LocalDate target(LocalDate day, int time) {
            boolean forwards = policy.name().endsWith("FOLLOWING");
            LocalDate target = walk(day, time, forwards);
            if (policy.name().startsWith("MODIFIED") && !YearMonth.from(day).equals(YearMonth.from(target))) {
                target = walk(day, time, !forwards);
                return YearMonth.from(day).equals(YearMonth.from(target)) ? target : null;
            }
            return target.isAfter(LocalDate.MIN) && target.isBefore(LocalDate.MAX) ? target : null;
        }

        private LocalDate walk(LocalDate day, int time, boolean forwards) {
            for (int i = 0; i < 200; i++) {
                LocalDate at = day.plusDays(forwards ? i : -i);
                if (isBusinessDay(at, time)) {
                    return at;
                }
            }
            return LocalDate.MIN;
        }

        private boolean isBusinessDay(LocalDate day, int time) {
            LocalDateTime local = day.atStartOfDay().plusSeconds(time);
            ZoneOffsetTransition change = zone.getRules().getTransition(local);
            boolean lost = change != null
                    && change.isGap()
                    && !change.getDateTimeAfter().toLocalDate().equals(day)
                    && change.getDuration().toHours() >= 3;
            return !lost
                            && calendar.isIncluded(
                                    local.atZone(zone)
                                            .withEarlierOffsetAtOverlap()
                                            .toInstant(),
                                    zone)
                            && (change == null || !change.isGap() || calendar.isIncluded(change.getInstant(), zone))
                    || !lost && change != null && change.isGap() && calendar.isIncluded(change.getInstant(), zone);
        }
    }
}
