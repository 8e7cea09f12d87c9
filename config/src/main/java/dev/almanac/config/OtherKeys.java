package dev.almanac.config;

import java.time.Duration;
import java.util.List;

/** The keys beside the numbers of the scheduler. Calendars, type limits and type defaults are named by the user. */
final class OtherKeys {
    static final String CALENDARS = "calendars";
    static final String TYPE_LIMITS = "type-limits";
    static final String TYPE_DEFAULTS = "type-defaults";
    static final Kind<Integer> TYPE_PRIORITY = Kinds.whole(0, 7);
    static final Kind<Integer> TYPE_LIMIT = Kinds.whole(1, 100_000);
    private static final String ANY_NAME = "[^\\p{Cntrl}]{1,200}";

    static final List<Setting<Draft, ?>> ALL = List.of(
            new Setting<>("zone", Kinds.zone(), Draft::zone),
            new Setting<>(
                    "service-name",
                    Kinds.text("1 to 256 characters, no control characters", "[^\\p{Cntrl}]{1,256}"),
                    Draft::serviceName),
            new Setting<>("label", Kinds.text("1 to 200 characters", ANY_NAME), Draft::label),
            new Setting<>("default-calendar", Kinds.text("the name of a calendar", ANY_NAME), Draft::defaultCalendar),
            new Setting<>("drain-timeout", Kinds.zeroOrMore(), Draft::drainTimeout),
            new Setting<>("retention.good", Kinds.zeroOrMore(), Draft::good),
            new Setting<>("retention.failed", Kinds.zeroOrMore(), Draft::failed),
            new Setting<>("retention.canceled", Kinds.zeroOrMore(), Draft::canceled),
            new Setting<>("retention.superseded", Kinds.zeroOrMore(), Draft::superseded),
            new Setting<>("store.uri", Kinds.connectionString(), Draft::uri),
            new Setting<>(
                    "store.database",
                    Kinds.text("1 to 63 letters, digits, dashes or underscores", "[A-Za-z0-9_-]{1,63}"),
                    Draft::database),
            new Setting<>(
                    "store.collection-prefix",
                    Kinds.text("at most 60 letters, digits, dashes or underscores", "[A-Za-z0-9_-]{0,60}"),
                    Draft::collectionPrefix),
            new Setting<>("store.partitions", Kinds.whole(1, 200), Draft::partitions),
            new Setting<>("store.create-indexes", Kinds.onOff(), Draft::createIndexes),
            new Setting<>(
                    "store.commit-quorum",
                    Kinds.text("majority, votingMembers or the name of a replica set tag", "[A-Za-z][A-Za-z0-9_-]*"),
                    Draft::commitQuorum),
            new Setting<>(
                    "store.operation-timeout",
                    Kinds.atLeast(Duration.ofMillis(1), "1 ms or more"),
                    Draft::operationTimeout));

    private OtherKeys() {}

    static Draft read(ConfigReader reader) {
        Draft draft = new Draft();
        ALL.forEach(setting -> setting.read(reader, draft));
        return draft;
    }
}
