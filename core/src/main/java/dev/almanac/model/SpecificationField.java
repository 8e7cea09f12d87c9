package dev.almanac.model;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A field of a specification, as every printer of jobs shows it. Immutable.
 *
 * @param name in the stored document
 * @param label for people, in lower case
 * @param value as the builder takes it
 */
public record SpecificationField(String name, String label, Object value) {
    /** Labels that are shorter than the words of the name. */
    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("jobSpecificationKey", "key"),
            Map.entry("jobRequestor", "requestor"),
            Map.entry("applicationTag", "application"),
            Map.entry("triggerCommand", "command"),
            Map.entry("triggerIdentifier", "id"),
            Map.entry("failureCommand", "on failure"),
            Map.entry("failureIdentifier", "failure id"),
            Map.entry("processingContext", "context"),
            Map.entry("schedulingSpecification", "schedule"),
            Map.entry("cronDialect", "dialect"),
            Map.entry("firstFire", "first fire"),
            Map.entry("singleSchedule", "fires once at"),
            Map.entry("singleScheduleLocal", "local time"),
            Map.entry("zoneId", "zone"),
            Map.entry("daylightSavingPolicy", "clock changes"),
            Map.entry("calendarPolicy", "excluded fires"),
            Map.entry("startAt", "not before"),
            Map.entry("endAt", "not after"),
            Map.entry("maxFires", "fires at most"),
            Map.entry("lateExecutionThreshold", "late after"),
            Map.entry("missedFirePolicy", "missed fires"),
            Map.entry("startDeadline", "starts at the latest after"),
            Map.entry("retryPolicy", "retries"),
            Map.entry("crashPolicy", "after a crash"),
            Map.entry("executionTimeout", "time-out"),
            Map.entry("exclusiveGroup", "group"),
            Map.entry("onSuccess", "after success"),
            Map.entry("onFailure", "after failure"));

    /** The fields that mean something for the job, in order: without what is absent, empty or off. */
    static List<SpecificationField> of(JobSpecification job, Map<String, @Nullable Object> contents) {
        return contents.entrySet().stream()
                .filter(field -> isShown(job, field.getKey(), field.getValue()))
                .map(field -> new SpecificationField(
                        field.getKey(),
                        LABELS.getOrDefault(field.getKey(), words(field.getKey())),
                        Objects.requireNonNull(field.getValue())))
                .toList();
    }

    private static boolean isShown(JobSpecification job, String name, @Nullable Object value) {
        if (value == null || Boolean.FALSE.equals(value) || value instanceof Collection<?> items && items.isEmpty()) {
            return false;
        }
        return switch (name) {
            case "cronDialect", "missedFirePolicy" -> job.isRecurring();
            case "firstFire" -> job.firstFire() == FirstFire.NOW;
            case "calendarPolicy" -> !job.calendars().isEmpty();
            case "retryPolicy" -> job.retryPolicy().retries() > 0;
            case "history" -> job.history() != History.ALL;
            default -> true;
        };
    }

    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }
}
