package dev.almanac.web.page;

import dev.almanac.web.guard.Refusal;
import dev.almanac.web.text.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Moments as users type them. */
final class Moments {
    private static final Pattern SHORT = Pattern.compile("([0-9]{1,6})(s|m|h|d)");
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private Moments() {}

    /** As {@link #ahead}, but a time without a date counts back from now. */
    static Instant back(PageRequest call, String name, String typed) {
        return read(typed, name, call.clock(), -1);
    }

    /** As {@link #back(PageRequest, String, String)}; absent if nothing was typed. */
    static @Nullable Instant back(PageRequest call, String name) {
        String typed = call.parameter(name);
        return typed == null ? null : back(call, name, typed);
    }

    /** A moment after now; absent if nothing was typed. */
    static @Nullable Instant ahead(PageRequest call, String name) {
        String typed = call.parameter(name);
        return typed == null ? null : read(typed, name, call.clock(), 1);
    }

    private static Instant read(String typed, String name, Clock clock, int sign) {
        try {
            return read(typed, clock, sign);
        } catch (DateTimeException | ArithmeticException e) {
            throw Refusal.badRequest(
                    "'" + name + "' is no moment; write 2026-05-01, 2026-05-01T12:00, 2026-05-01T12:00:00Z, today,"
                            + " or a time from now such as 15m, 2h or 3d.");
        }
    }

    /**
     * A moment; a time without a date counts from now.
     *
     * @param sign 1 to count ahead, -1 to count back
     * @throws DateTimeException or ArithmeticException if it is none that a store keeps
     */
    static Instant read(String typed, Clock clock, int sign) {
        Instant moment = parsed(typed.strip(), clock, sign);
        if (moment.isBefore(EARLIEST) || moment.isAfter(LATEST)) {
            throw new DateTimeException("beyond the years that a store keeps");
        }
        return moment;
    }

    private static Instant parsed(String typed, Clock clock, int sign) {
        Matcher relative = SHORT.matcher(typed);
        if (relative.matches()) {
            return clock.now().plus(length(relative).multipliedBy(sign));
        }
        if (typed.equals("today")) {
            return clock.today();
        }
        if (typed.length() == 10) {
            return LocalDate.parse(typed).atStartOfDay(clock.zone()).toInstant();
        }
        return typed.endsWith("Z")
                ? Instant.parse(typed)
                : LocalDateTime.parse(typed.replace(' ', 'T'))
                        .atZone(clock.zone())
                        .toInstant();
    }

    private static Duration length(Matcher relative) {
        long count = Long.parseLong(relative.group(1));
        return switch (relative.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }
}
