package dev.almanac.time;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRulesProvider;

/** Which version of the time zone rules this JVM knows, such as {@code 2025b}. */
public final class ZoneRulesVersion {
    private static final String FIXED = "fixed";

    private ZoneRulesVersion() {}

    /** The version of a zone's rules; {@code fixed} for an offset, whose rules never change. */
    public static String of(ZoneId zone) {
        return zone instanceof ZoneOffset || zone.getRules().isFixedOffset()
                ? FIXED
                : ZoneRulesProvider.getVersions(zone.getId()).lastKey();
    }

    /** The version of the database. */
    public static String current() {
        return ZoneRulesProvider.getVersions("Europe/London").lastKey();
    }
}
