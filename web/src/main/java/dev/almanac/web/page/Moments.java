package dev.almanac.web.page;

import dev.almanac.text.ShortDuration;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.text.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Moments as users type them. */
final class Moments {
    /** The field of a form that names the zone in which its page was shown. */
    static final String ZONE = "typed-in";

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    private Moments() {}

    /** As {@link #ahead}, but a time without a date counts back from now. */
    static Instant back(PageRequest call, String name, String typed) {
        return read(typed, name, call.typing(), -1);
    }

    /** As {@link #back(PageRequest, String, String)}; absent if nothing was typed. */
    static @Nullable Instant back(PageRequest call, String name) {
        String typed = call.parameter(name);
        return typed == null ? null : back(call, name, typed);
    }

    /** A moment after now; absent if nothing was typed. */
    static @Nullable Instant ahead(PageRequest call, String name) {
        String typed = call.parameter(name);
        return typed == null ? null : read(typed, name, call.typing(), 1);
    }

    /**
     * As a later form names the moment that this one has: by then the zone of the pages may be another one, and a time from
     * now would be another moment. Absent if nothing was typed.
     */
    static @Nullable String fixed(PageRequest call, String name) {
        return Objects.toString(ahead(call, name), null);
    }

    private static Instant read(String typed, String name, Clock clock, int sign) {
        try {
            return read(typed, clock, sign);
        } catch (DateTimeException | ArithmeticException e) {
            throw Refusal.ofValue(
                    name,
                    typed,
                    "is no moment; write 2026-05-01, 2026-05-01T12:00, 2026-05-01T12:00:00Z, today,"
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
        Duration away = ShortDuration.read(typed);
        if (away != null) {
            // to the millisecond, as stores keep it
            return clock.now().plus(away.multipliedBy(sign)).truncatedTo(ChronoUnit.MILLIS);
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
}
