package dev.almanac.engine.rules;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.StoredFields;
import dev.almanac.store.FirePlan;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Phase;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.Requests;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Stored jobs for tests of deciders. */
public final class Jobs {
    /** A Friday. */
    public static final Instant NOW = Instant.parse("2030-03-01T08:00:00Z");

    private Jobs() {}

    public static JobSpecificationBuilder specification(String key) {
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("tests")
                .zoneId(ZoneOffset.UTC)
                .triggerCommand(new EncodedCommand("note", 1, Map.of()))
                .triggerIdentifier("id")
                .version(1);
        StoredFields.of(job).latestUpdate(NOW.minusSeconds(3600));
        return job;
    }

    /** A one-off that is planned for an instant. */
    public static StoredJob oneOff(String key, Instant at) {
        return of(specification(key).singleSchedule(at).build(), at);
    }

    public static StoredJob of(JobSpecification specification, Instant fire) {
        return new StoredJob(
                "id-" + specification.jobSpecificationKey(),
                specification,
                fire,
                null,
                Sequences.NEW,
                FirePlan.first(fire, null, basis(fire)),
                Requests.NONE,
                Phase.RUN,
                null,
                row(specification.jobSpecificationKey(), Outcome.NONE, NOW.minusSeconds(3600))
                        .build());
    }

    public static JobExecutionStatusBuilder row(String key, Outcome outcome, Instant updated) {
        return JobExecutionStatus.builder()
                .id("id-" + key + ":0:0:" + outcome + updated)
                .jobSpecificationId("id-" + key)
                .jobSpecificationKey(key)
                .executionStatus(ExecutionStatus.SCHEDULED)
                .outcome(outcome)
                .fireTime(updated)
                .updatedTime(updated);
    }

    public static NodeReport node(String id, String... types) {
        return new NodeReport(id, "host-" + id, NOW, NOW, "2030a", Duration.ZERO, Set.of(types), 0);
    }

    /** The same node while it claims nothing. */
    public static NodeReport claimingNothing(NodeReport node, String why) {
        return new NodeReport(
                node.id(),
                node.label(),
                node.started(),
                node.seen(),
                node.zoneRules(),
                node.clockOffset(),
                node.types(),
                node.runs(),
                node.slots(),
                node.fullTypes(),
                node.minPriority(),
                node.maxPriority(),
                node.reasons(),
                why,
                node.stopped(),
                node.silentAfter());
    }

    /** Excludes whole dates. */
    public static ExclusionCalendar without(String... dates) {
        Set<String> excluded = Set.of(dates);
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                return !excluded.contains(LocalDate.ofInstant(instant, zone).toString());
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId zone) {
                Instant at = from;
                while (!isIncluded(at, zone)) {
                    at = LocalDate.ofInstant(at, zone)
                            .plusDays(1)
                            .atStartOfDay(zone)
                            .toInstant();
                }
                return Optional.of(at);
            }
        };
    }

    public static PlanBasis basis(Instant fire) {
        return new PlanBasis("2030a", LocalDateTime.ofInstant(fire, ZoneOffset.UTC), fire.minusSeconds(1), null);
    }
}
