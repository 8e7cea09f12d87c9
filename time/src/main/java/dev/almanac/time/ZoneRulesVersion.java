package dev.almanac.time;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.Map;
import java.util.stream.Collectors;

/** The version of the time zone rules in use, such as {@code 2025b} (rule T6). Source: the running JVM's provider. */
public final class ZoneRulesVersion {
    /** What {@link #of} answers for a zone that is a plain offset: its rules never change. */
    public static final String FIXED = "fixed";

    private ZoneRulesVersion() {}

    /** The version of one zone's rules; {@value #FIXED} for an offset. */
    public static String of(ZoneId zone) {
        if (zone instanceof ZoneOffset || zone.normalized() instanceof ZoneOffset && !isProvided(zone)) {
            return FIXED;
        }
        Map<String, ZoneRules> versions = ZoneRulesProvider.getVersions(zone.getId());
        return versions.keySet().stream().reduce((older, newer) -> newer).orElse(FIXED);
    }

    private static boolean isProvided(ZoneId zone) {
        return ZoneRulesProvider.getAvailableZoneIds().contains(zone.getId());
    }

    /**
     * The versions of all zones of this JVM: one, or several joined by commas if zones of other providers are
     * registered. Later versions sort later.
     */
    public static String all() {
        return ZoneRulesProvider.getAvailableZoneIds().stream()
                .map(id -> ZoneRulesProvider.getVersions(id).lastKey())
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
    }

    /** The version of this JVM's time zone rules, read from a zone that every version has. */
    public static String current() {
        return of(ZoneId.of("Europe/London"));
    }
}
