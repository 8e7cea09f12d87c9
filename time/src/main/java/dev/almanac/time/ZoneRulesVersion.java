package dev.almanac.time;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The version of the time zone rules in use, such as {@code 2025b} (rule T6). Source: the running JVM's provider. */
public final class ZoneRulesVersion {
    /** What {@link #of} answers for a zone that is a plain offset: its rules never change. */
    public static final String FIXED = "fixed";

    private static volatile Zones known = new Zones(Set.of(), List.of(), List.of());

    private ZoneRulesVersion() {}

    /**
     * What need not be asked again: a node reports the versions every few seconds, and there are hundreds of zones.
     *
     * @param lasting the versions of the zones whose provider allows to keep their rules
     * @param changing the zones whose provider may change their rules while the JVM runs
     */
    private record Zones(Set<String> ids, List<String> lasting, List<String> changing) {
        static Zones of(Set<String> ids) {
            Map<Boolean, List<String>> lasting =
                    ids.stream().collect(Collectors.partitioningBy(id -> ZoneRulesProvider.getRules(id, true) != null));
            return new Zones(
                    ids,
                    lasting.get(true).stream()
                            .map(ZoneRulesVersion::newest)
                            .distinct()
                            .toList(),
                    lasting.get(false));
        }
    }

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
        Set<String> ids = ZoneRulesProvider.getAvailableZoneIds();
        Zones zones = known;
        if (!zones.ids().equals(ids)) {
            zones = Zones.of(ids);
            known = zones;
        }
        return Stream.concat(zones.lasting().stream(), zones.changing().stream().map(ZoneRulesVersion::newest))
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
    }

    private static String newest(String id) {
        return ZoneRulesProvider.getVersions(id).lastKey();
    }

    /** The version of this JVM's time zone rules, read from a zone that every version has. */
    public static String current() {
        return of(ZoneId.of("Europe/London"));
    }
}
