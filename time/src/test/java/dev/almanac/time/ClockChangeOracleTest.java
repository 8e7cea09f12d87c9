package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rule for clock changes against an oracle that walks every second round each clock change */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ClockChangeOracleTest {
    private static final List<String> ZONES = List.of(
            "Europe/Berlin",
            "Europe/Dublin",
            "Europe/London",
            "Europe/Lisbon",
            "Europe/Moscow",
            "Europe/Istanbul",
            "Europe/Chisinau",
            "America/New_York",
            "America/St_Johns",
            "America/Sao_Paulo",
            "America/Santiago",
            "America/Havana",
            "America/Caracas",
            "America/Asuncion",
            "America/Godthab",
            "America/Danmarkshavn",
            "Asia/Kathmandu",
            "Asia/Beirut",
            "Asia/Gaza",
            "Asia/Tehran",
            "Asia/Pyongyang",
            "Asia/Amman",
            "Africa/Casablanca",
            "Africa/Cairo",
            "Africa/El_Aaiun",
            "Australia/Lord_Howe",
            "Australia/Sydney",
            "Antarctica/Troll",
            "Antarctica/Casey",
            "Antarctica/Vostok",
            "Pacific/Apia",
            "Pacific/Kiritimati",
            "Pacific/Kwajalein",
            "Pacific/Chatham",
            "Pacific/Norfolk",
            "Asia/Kolkata");
    private static final Instant FIRST = Instant.parse("1985-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2100-12-31T00:00:00Z");

    @Test
    void every_second_round_each_change_of_36_zones() {
        Random random = new Random(20264);
        int changes = 0;
        for (String id : ZONES) {
            ZoneRules rules = ZoneId.of(id).getRules();
            ZoneOffsetTransition change = rules.nextTransition(FIRST);
            while (change != null && change.getInstant().isBefore(LAST)) {
                compare(random, ZoneId.of(id), change);
                changes++;
                change = rules.nextTransition(change.getInstant());
            }
        }
        assertThat(changes).isGreaterThan(4_000);
    }

    @Test
    void searches_rely_on_changes_being_days_apart() {
        for (String id : ZoneId.getAvailableZoneIds()) {
            ZoneRules rules = ZoneId.of(id).getRules();
            ZoneOffsetTransition last = null;
            ZoneOffsetTransition change = rules.nextTransition(Instant.parse("1969-12-01T00:00:00Z"));
            while (change != null && change.getInstant().isBefore(Instant.parse("2201-01-01T00:00:00Z"))) {
                if (last != null) {
                    long lengths = last.getDuration()
                            .abs()
                            .plus(change.getDuration().abs())
                            .toSeconds();
                    assertThat(change.toEpochSecond() - last.toEpochSecond())
                            .as("%s %s", id, change)
                            .isGreaterThan(lengths + 86_400);
                }
                last = change;
                change = rules.nextTransition(change.getInstant());
            }
        }
    }

    private static void compare(Random random, ZoneId zone, ZoneOffsetTransition change) {
        long length = change.getDuration().abs().toSeconds();
        // wide enough that the last time before the change is shown again inside the window
        long from = change.toEpochSecond() - Math.min(length, 7 * 3600) - 3600;
        long to = change.toEpochSecond() + Math.min(length, 7 * 3600) + 3600;
        int hour = change.getDateTimeBefore()
                .plusSeconds(random.nextInt(7200) - 3600)
                .getHour();
        CronDialect dialect = random.nextInt(4) == 0 ? CronDialect.UNIX : CronDialect.QUARTZ;
        RandomCron oracle = new RandomCron(random, dialect, hour);
        CronExpression cron = CronExpression.parse(oracle.text, dialect);
        assertThat(cron.isFixedTime()).as("%s", oracle).isEqualTo(oracle.isFixed());
        Walk walk = new Walk(oracle, zone.getRules(), from, to);
        for (DaylightSavingPolicy policy : DaylightSavingPolicy.values()) {
            String name = oracle + " " + zone + " " + change + " " + policy;
            List<Long> expected = walk.fires(policy);
            assertThat(forwards(cron, zone, policy, from, to)).as(name).isEqualTo(expected);
            List<Long> backwards = backwards(cron, zone, policy, from, to);
            Collections.reverse(backwards);
            assertThat(backwards).as("backwards " + name).isEqualTo(expected);
            Set<Long> known = new HashSet<>(expected);
            for (int i = 0; i < 20; i++) {
                long at = from + random.nextInt((int) (to - from));
                long probe = expected.isEmpty() || i > 10 ? at : expected.get(i % expected.size());
                assertThat(cron.matches(Instant.ofEpochSecond(probe), zone, policy))
                        .as("matches %s %s", probe, name)
                        .isEqualTo(known.contains(probe));
            }
        }
    }

    private static List<Long> forwards(
            CronExpression cron, ZoneId zone, DaylightSavingPolicy policy, long from, long to) {
        List<Long> fires = new ArrayList<>();
        Optional<Instant> fire = cron.next(Instant.ofEpochSecond(from - 1), zone, policy);
        while (fire.isPresent() && fire.get().getEpochSecond() < to) {
            fires.add(fire.get().getEpochSecond());
            fire = cron.next(fire.get(), zone, policy);
        }
        return fires;
    }

    private static List<Long> backwards(
            CronExpression cron, ZoneId zone, DaylightSavingPolicy policy, long from, long to) {
        List<Long> fires = new ArrayList<>();
        Optional<Instant> fire = cron.previous(Instant.ofEpochSecond(to), zone, policy);
        while (fire.isPresent() && fire.get().getEpochSecond() >= from) {
            fires.add(fire.get().getEpochSecond());
            fire = cron.previous(fire.get(), zone, policy);
        }
        return fires;
    }

    /** What the wall clock shows, second by second. */
    private static final class Walk {
        private final List<Long> moved = new ArrayList<>();
        private final List<Long> shown = new ArrayList<>();
        private final List<Long> shownFirst = new ArrayList<>();
        private final RandomCron oracle;
        private final Map<Long, Boolean> dates = new HashMap<>();

        Walk(RandomCron oracle, ZoneRules rules, long from, long to) {
            this.oracle = oracle;
            Set<Long> seen = new HashSet<>();
            long last = local(rules, from - 1);
            for (long at = from; at < to; at++) {
                long local = local(rules, at);
                boolean skipped = false;
                if (local > last + 1 && local - last - 1 < 3 * 3600) {
                    for (long gone = last + 1; gone < local; gone++) {
                        skipped |= matches(gone);
                    }
                }
                boolean first = seen.add(local);
                if (matches(local)) {
                    shown.add(at);
                    if (first) {
                        shownFirst.add(at);
                    }
                }
                if (skipped || matches(local) && first) {
                    moved.add(at);
                }
                last = local;
            }
        }

        List<Long> fires(DaylightSavingPolicy policy) {
            return switch (policy) {
                case RUN_ONCE -> oracle.isFixed() ? moved : shown;
                case SKIP -> shown;
                case WALL_ONCE -> shownFirst;
            };
        }

        private static long local(ZoneRules rules, long at) {
            LocalDateTime local = LocalDateTime.ofEpochSecond(at, 0, rules.getOffset(Instant.ofEpochSecond(at)));
            return local.toEpochSecond(ZoneOffset.UTC);
        }

        private boolean matches(long local) {
            return oracle.matchesTime((int) Math.floorMod(local, 86_400L))
                    && dates.computeIfAbsent(
                            Math.floorDiv(local, 86_400L), day -> oracle.matchesDate(LocalDate.ofEpochDay(day)));
        }
    }
}
