package dev.almanac.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.DaylightSavingPolicy;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The dialect SPRING against Spring's own cron expressions. */
class SpringCronTest {
    private static final String[] DAYS = {"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"};
    private static final String[] MONTHS = {
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"
    };
    private static final Instant FIRST = Instant.parse("2020-01-01T00:00:00Z");
    private final Random random = new Random(25);

    private static List<ZoneId> zones() {
        List<String> ids = ZoneId.getAvailableZoneIds().stream()
                .filter(id -> id.contains("/") && !id.startsWith("Etc") && !id.startsWith("SystemV"))
                .sorted()
                .toList();
        TreeSet<String> some = new TreeSet<>(List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe"));
        for (int i = 0; some.size() < 36; i++) {
            some.add(ids.get(i * ids.size() / 36));
        }
        return some.stream().map(ZoneId::of).toList();
    }

    @Test
    @DisplayName("S25: fires are those of Spring in 36 zones, outside of gaps and overlaps")
    void fires() {
        int compared = 0;
        List<String> refused = new ArrayList<>();
        for (ZoneId zone : zones()) {
            for (int i = 0; i < 250; i++) {
                String text = expression();
                CronExpression ours = read(text);
                org.springframework.scheduling.support.CronExpression theirs = ofSpring(text);
                if (ours == null != (theirs == null)) {
                    refused.add(text);
                } else if (ours != null && theirs != null) {
                    compared += compare(text, ours, theirs, zone);
                }
            }
        }
        assertThat(refused).as("taken by one of the two only").isEmpty();
        assertThat(compared).isGreaterThan(20_000);
    }

    private int compare(
            String text,
            CronExpression ours,
            org.springframework.scheduling.support.CronExpression theirs,
            ZoneId zone) {
        Instant at = FIRST.plusSeconds(random.nextInt(10 * 365 * 86_400));
        for (int i = 0; i < 5; i++) {
            ZonedDateTime spring = theirs.next(at.atZone(zone));
            Instant own = ours.next(at, zone, DaylightSavingPolicy.RUN_ONCE).orElse(null);
            if (spring == null || own == null) {
                // Spring gives up after a number of steps
                assertThat(spring).as(text).isNull();
                return i;
            }
            // from the last fire to the later answer there must be no change of the clock, for a day on both sides
            Instant later = own.isAfter(spring.toInstant()) ? own : spring.toInstant();
            ZoneOffsetTransition change = zone.getRules().nextTransition(at.minusSeconds(86_400));
            boolean quiet = change == null || change.getInstant().isAfter(later.plusSeconds(86_400));
            if (quiet) {
                assertThat(own).as("%s after %s in %s", text, at, zone).isEqualTo(spring.toInstant());
            } else if (isNear(zone.getRules(), own) || isNear(zone.getRules(), spring.toInstant())) {
                return i;
            } else {
                assertThat(own)
                        .as("%s after %s in %s, over a change", text, at, zone)
                        .isEqualTo(spring.toInstant());
            }
            at = own;
        }
        return 5;
    }

    private static boolean isNear(ZoneRules rules, Instant instant) {
        ZoneOffsetTransition change = rules.nextTransition(instant.minusSeconds(2 * 86_400));
        return change != null && change.getInstant().isBefore(instant.plusSeconds(2 * 86_400));
    }

    private static CronExpression read(String text) {
        try {
            return CronExpression.parse(text, CronDialect.SPRING);
        } catch (IllegalArgumentException invalid) {
            return null;
        }
    }

    private static org.springframework.scheduling.support.CronExpression ofSpring(String text) {
        try {
            return org.springframework.scheduling.support.CronExpression.parse(text);
        } catch (IllegalArgumentException invalid) {
            return null;
        }
    }

    private String expression() {
        if (random.nextInt(20) == 0) {
            return List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
                    .get(random.nextInt(7));
        }
        String seconds = random.nextInt(3) > 0 ? "0" : list(0, 59, null);
        return String.join(" ", seconds, list(0, 59, null), list(0, 23, null), dayOfMonth(), month(), dayOfWeek());
    }

    private String month() {
        return random.nextBoolean() ? "*" : list(1, 12, random.nextBoolean() ? MONTHS : null);
    }

    private String dayOfMonth() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> random.nextBoolean() ? "*" : "?";
            case 2 -> dayForm();
            case 3 -> dayForm() + "," + (random.nextBoolean() ? dayForm() : value(1, 31, null));
            default -> list(1, 31, null);
        };
    }

    /** In months that lack the day, Spring's answers to 29W and more, and L-28 and more, depend on where it begins. */
    private String dayForm() {
        return switch (random.nextInt(4)) {
            case 0 -> "L";
            case 1 -> "LW";
            case 2 -> "L-" + (1 + random.nextInt(27));
            default -> (1 + random.nextInt(28)) + "W";
        };
    }

    private String dayOfWeek() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> random.nextBoolean() ? "*" : "?";
            case 2 -> weekForm();
            case 3 -> weekForm() + "," + (random.nextBoolean() ? weekForm() : value(0, 7, DAYS));
            default -> list(0, 7, random.nextBoolean() ? DAYS : null);
        };
    }

    private String weekForm() {
        String day = random.nextBoolean() ? String.valueOf(random.nextInt(8)) : DAYS[random.nextInt(7)];
        return day + (random.nextBoolean() ? "L" : "#" + (1 + random.nextInt(5)));
    }

    private String list(int low, int high, String[] names) {
        StringBuilder out = new StringBuilder(item(low, high, names));
        while (random.nextInt(4) == 0) {
            out.append(',').append(item(low, high, names));
        }
        return out.toString();
    }

    private String item(int low, int high, String[] names) {
        String step = random.nextBoolean() ? "" : "/" + (1 + random.nextInt(high + 3));
        return switch (random.nextInt(4)) {
            case 0 -> "*" + step;
            case 1 -> value(low, high, names) + "-" + value(low, high, names) + step;
            case 2 -> value(low, high, names) + step;
            default -> value(low, high, names);
        };
    }

    private String value(int low, int high, String[] names) {
        return names == null
                ? String.valueOf(low + random.nextInt(high - low + 1))
                : names[random.nextInt(names.length)];
    }
}
