package dev.almanac.web.page;

import dev.almanac.web.guard.Guards;
import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The zone of the times that a browser is shown. */
public final class Zones {
    static final String COOKIE = "almanac-zone";
    /** Offered as suggestions; any zone of the JDK can be typed. */
    static final List<String> OFFERED = ZoneId.getAvailableZoneIds().stream()
            .filter(id -> id.equals("UTC") || id.contains("/"))
            .filter(id -> !id.startsWith("Etc/") && !id.startsWith("SystemV/"))
            .sorted()
            .toList();

    private Zones() {}

    /** What the browser has chosen before; empty if nothing, or nothing that can be read. */
    public static Optional<ZoneId> chosen(HttpServletRequest request) {
        return Guards.cookies(request, COOKIE).stream().findFirst().flatMap(Zones::read);
    }

    /** A zone by its name. */
    static Optional<ZoneId> read(String name) {
        try {
            return Optional.of(ZoneId.of(name.strip()));
        } catch (DateTimeException unknown) {
            return Optional.empty();
        }
    }
}
