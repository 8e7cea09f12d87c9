package dev.almanac.config;

import java.time.Duration;
import java.util.List;

/** The keys beside the numbers of the scheduler. Calendars, type limits and type defaults are named by the user. */
final class ServiceKeys {
    static final String CALENDARS = "calendars";
    static final String TYPE_LIMITS = "type-limits";
    static final String TYPE_DEFAULTS = "type-defaults";
    static final Kind<Integer> TYPE_PRIORITY = Kinds.whole(0, 7);
    static final Kind<Integer> TYPE_LIMIT = Kinds.whole(1, 100_000);
    private static final String ANY_NAME = "[^\\p{Cntrl}]{1,200}";

    static final List<Setting<ConfigDraft, ?>> ALL = List.of(
            new Setting<>("zone", Kinds.zone(), (draft, value) -> draft.zone = value),
            new Setting<>(
                    "service-name",
                    Kinds.text("1 to 256 characters, no control characters", "[^\\p{Cntrl}]{1,256}"),
                    (draft, value) -> draft.serviceName = value),
            new Setting<>("label", Kinds.text("1 to 200 characters", ANY_NAME), (draft, value) -> draft.label = value),
            new Setting<>(
                    "default-calendar",
                    Kinds.text("the name of a calendar", ANY_NAME),
                    (draft, value) -> draft.defaultCalendar = value),
            new Setting<>("drain-timeout", Kinds.zeroOrMore(), (draft, value) -> draft.drainTimeout = value),
            new Setting<>("ignore-transactions", Kinds.onOff(), (draft, value) -> draft.ignoreTransactions = value),
            new Setting<>("reconcile", Kinds.onOff(), (draft, value) -> draft.reconcile = value),
            new Setting<>(
                    "release", Kinds.text("1 to 200 characters", ANY_NAME), (draft, value) -> draft.release = value),
            new Setting<>("retention.good", Kinds.zeroOrMore(), (draft, value) -> draft.good = value),
            new Setting<>("retention.failed", Kinds.zeroOrMore(), (draft, value) -> draft.failed = value),
            new Setting<>("retention.canceled", Kinds.zeroOrMore(), (draft, value) -> draft.canceled = value),
            new Setting<>("retention.superseded", Kinds.zeroOrMore(), (draft, value) -> draft.superseded = value),
            new Setting<>("store.uri", Kinds.connectionString(), (draft, value) -> draft.uri = value),
            new Setting<>(
                    "store.database",
                    Kinds.text("1 to 63 letters, digits, dashes or underscores", "[A-Za-z0-9_-]{1,63}"),
                    (draft, value) -> draft.database = value),
            new Setting<>(
                    "store.collection-prefix",
                    Kinds.text("at most 60 letters, digits, dashes or underscores", "[A-Za-z0-9_-]{0,60}"),
                    ConfigDraft::collectionPrefix),
            new Setting<>("store.partitions", Kinds.whole(1, 200), ConfigDraft::partitions),
            new Setting<>("store.create-indexes", Kinds.onOff(), ConfigDraft::createIndexes),
            new Setting<>(
                    "store.commit-quorum",
                    Kinds.text("majority, votingMembers or the name of a replica set tag", "[A-Za-z][A-Za-z0-9_-]*"),
                    ConfigDraft::commitQuorum),
            new Setting<>(
                    "store.operation-timeout",
                    Kinds.within(Duration.ofMillis(1), Duration.ofDays(24), "1 ms to 24 d"),
                    ConfigDraft::operationTimeout));

    private ServiceKeys() {}

    static ConfigDraft read(ConfigReader reader) {
        ConfigDraft draft = new ConfigDraft();
        ALL.forEach(setting -> setting.read(reader, draft));
        return draft;
    }
}
