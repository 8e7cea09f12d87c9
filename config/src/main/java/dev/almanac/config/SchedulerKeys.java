package dev.almanac.config;

import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.SchedulerSettingsBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The keys of {@link SchedulerSettings}: the names of its components with dashes. */
final class SchedulerKeys {
    static final List<Setting<SchedulerSettingsBuilder, ?>> ALL = List.of(
            new Setting<>("poll-interval", Kinds.interval(), SchedulerSettingsBuilder::pollInterval),
            new Setting<>("look-ahead", Kinds.moreThanZero(), SchedulerSettingsBuilder::lookAhead),
            new Setting<>("lead", Kinds.upTo(Duration.ofMillis(250), "0 s to 250 ms"), SchedulerSettingsBuilder::lead),
            new Setting<>(
                    "lease-length",
                    Kinds.atLeast(
                            Duration.ofSeconds(1), "1 s or more, and more than three times skew-allowance + lead"),
                    SchedulerSettingsBuilder::leaseLength),
            new Setting<>("skew-allowance", Kinds.zeroOrMore(), SchedulerSettingsBuilder::skewAllowance),
            new Setting<>("max-concurrent-runs", Kinds.whole(1, 100_000), SchedulerSettingsBuilder::maxConcurrentRuns),
            new Setting<>("claim-batch", Kinds.whole(1, 5_000), SchedulerSettingsBuilder::claimBatch),
            new Setting<>("claims-in-flight", Kinds.whole(1, 16), SchedulerSettingsBuilder::claimsInFlight),
            new Setting<>("completion-batch", Kinds.whole(1, 5_000), SchedulerSettingsBuilder::completionBatch),
            new Setting<>("completions-in-flight", Kinds.whole(1, 16), SchedulerSettingsBuilder::completionsInFlight),
            new Setting<>("steal-after", Kinds.zeroOrMore(), SchedulerSettingsBuilder::stealAfter),
            new Setting<>("heartbeat-interval", Kinds.interval(), SchedulerSettingsBuilder::heartbeatInterval),
            new Setting<>(
                    "node-timeout",
                    Kinds.atLeast(Duration.ofMillis(20), "twice heartbeat-interval or more"),
                    SchedulerSettingsBuilder::nodeTimeout),
            new Setting<>("clock-interval", Kinds.interval(), SchedulerSettingsBuilder::clockInterval),
            new Setting<>("clock-warning", Kinds.moreThanZero(), SchedulerSettingsBuilder::clockWarning),
            new Setting<>("purge-interval", Kinds.interval(), SchedulerSettingsBuilder::purgeInterval),
            new Setting<>("replan-interval", Kinds.interval(), SchedulerSettingsBuilder::replanInterval),
            new Setting<>("abandoned-limit", Kinds.whole(1, 1_000), SchedulerSettingsBuilder::abandonedLimit),
            new Setting<>("postpone-limit", Kinds.whole(0, 10_000), SchedulerSettingsBuilder::postponeLimit),
            new Setting<>("past-acceptance-window", Kinds.zeroOrMore(), SchedulerSettingsBuilder::pastAcceptanceWindow),
            new Setting<>(
                    "default-start-deadline", Kinds.moreThanZero(), SchedulerSettingsBuilder::defaultStartDeadline),
            new Setting<>("min-priority", Kinds.whole(0, 7), SchedulerSettingsBuilder::minPriority),
            new Setting<>("max-priority", Kinds.whole(0, 7), SchedulerSettingsBuilder::maxPriority),
            new Setting<>("auto-rehydrate", Kinds.onOff(), SchedulerSettingsBuilder::autoRehydrate),
            new Setting<>("watch-for-new-jobs", Kinds.onOff(), SchedulerSettingsBuilder::watchForNewJobs),
            new Setting<>("request-retention", Kinds.zeroOrMore(), SchedulerSettingsBuilder::requestRetention),
            new Setting<>("retention-spread", Kinds.fraction(), SchedulerSettingsBuilder::retentionSpread));

    private SchedulerKeys() {}

    /** The settings; values with problems, which the reader collects, have their defaults. */
    static SchedulerSettings read(ConfigReader reader) {
        SchedulerSettingsBuilder builder = SchedulerSettings.builder();
        ALL.forEach(setting -> setting.read(reader, builder));
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage()).replaceFirst("^settings out of range: ", "");
            List.of(message.split("; ")).forEach(rule -> refused(reader, rule));
            return SchedulerSettings.defaults();
        }
    }

    /** Rules about several settings are the record's own. One of them that could not be read breaks no rule yet. */
    private static void refused(ConfigReader reader, String rule) {
        String broken = rule;
        List<String> named = new ArrayList<>();
        for (Setting<SchedulerSettingsBuilder, ?> setting : ALL) {
            String replaced = broken.replaceAll("\\b" + component(setting.key()) + "\\b", setting.key());
            if (!replaced.equals(broken)) {
                named.add(setting.key());
                broken = replaced;
            }
        }
        if (named.stream().noneMatch(reader::hasProblem)) {
            String problem = broken;
            String key = named.stream().filter(problem::startsWith).findFirst().orElse("");
            reader.problem(key, problem);
        }
    }

    /** {@code poll-interval} is {@code pollInterval}. */
    static String component(String key) {
        StringBuilder name = new StringBuilder();
        for (String word : key.split("-", -1)) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }
}
