package dev.almanac.testkit.contract;

import dev.almanac.model.Actor;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FieldChange;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Retention;
import dev.almanac.model.StoredFields;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.Blocked;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.NewJob;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.Phase;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.Requests;
import dev.almanac.store.Revision;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Jobs and rows for tests of stores. */
public final class Specimens {
    private static final AtomicInteger IDS = new AtomicInteger();

    private Specimens() {}

    /** A new id of the form that the engine gives. */
    public static String id() {
        return String.format("%08x%016x", 0x6a000000, IDS.incrementAndGet());
    }

    /** A one-off with nothing but what is required. */
    public static NewJob minimal(String key, Instant due) {
        return of(id(), specification(key).singleSchedule(due).build(), due);
    }

    /** What is required. */
    public static JobSpecificationBuilder specification(String key) {
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("contract")
                .triggerCommand(new EncodedCommand("note", 1, Map.of("text", "hello")))
                .triggerIdentifier("id-" + key)
                .zoneId(ZoneId.of("UTC"))
                .version(1);
        StoredFields.of(job).latestUpdate(Instant.parse("2026-01-01T00:00:00Z"));
        return job;
    }

    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /** A stored job with its first row. */
    public static NewJob of(String id, JobSpecification specification, Instant due) {
        JobExecutionStatus row = row(id, specification.jobSpecificationKey(), "v1", due.minusSeconds(60));
        StoredJob job = new StoredJob(
                id,
                specification,
                due,
                null,
                Sequences.NEW,
                FirePlan.first(due, null, basis(due)),
                Requests.NONE,
                Phase.RUN,
                null,
                row);
        return new NewJob(job, row);
    }

    /** A row with nothing but what is required. */
    public static JobExecutionStatus row(String jobId, String key, String name, Instant updated) {
        return JobExecutionStatus.builder()
                .id(jobId + ":0:0:" + name)
                .jobSpecificationId(jobId)
                .jobSpecificationKey(key)
                .executionStatus(ExecutionStatus.SCHEDULED)
                .updatedTime(updated)
                .build();
    }

    /** A job in which no field has its default value. */
    public static NewJob full(String key, Instant due) {
        String id = id();
        JobSpecification specification = specification(key)
                .cronDialect(CronDialect.UNIX)
                .schedulingSpecification("5 4 * * *")
                .failureCommand(new EncodedCommand(
                        "sorry", 3, Map.of("list", List.of(1, 2L, "x", Map.of("deep", true)), "pi", 3.25)))
                .failureIdentifier("f")
                .calendars("a", "b")
                .ignoreDefaultCalendar(true)
                .calendarPolicy(CalendarPolicy.MODIFIED_FOLLOWING)
                .zoneId(ZoneId.of("Europe/Brussels"))
                .daylightSavingPolicy(DaylightSavingPolicy.WALL_ONCE)
                .lateExecutionThreshold(Duration.ofSeconds(90))
                .missedFirePolicy(MissedFirePolicy.runAll(7))
                .startDeadline(Duration.ofMinutes(11))
                .retryPolicy(RetryPolicy.parse("R5/PT5M"))
                .crashPolicy(CrashPolicy.FAIL)
                .executionTimeout(Duration.ofMinutes(9))
                .priority(2)
                .exclusiveGroup("group")
                .startAt(due.minusSeconds(5))
                .endAt(due.plusSeconds(500))
                .maxFires(12)
                .retention(
                        new Retention(Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(3), Duration.ofHours(4)))
                .tags("x", "y")
                .applicationTag("app")
                .processingContext(new ProcessingContext("entity", "request", "unit"))
                .version(4)
                .build();
        NewJob plain = of(id, StoredFields.of(specification).traceParent(TRACE).build(), due);
        JobExecutionStatus row = fullRow(id, key, due);
        StoredJob job = plain.job()
                .with(edit -> edit.sequences(new Sequences(5, 9, 8, 7))
                        .revision(new Revision(3, 11, 12, 13))
                        .plan(new FirePlan(
                                new FirePlan.Fire(due, due.minusSeconds(3), afterFire(due), due.minusSeconds(7)),
                                new FirePlan.Tries(
                                        2,
                                        due.plusSeconds(1),
                                        Duration.ofMillis(17),
                                        4,
                                        true,
                                        new ErrorSummary("E", "why", null)),
                                new FirePlan.Totals(3, due.minusSeconds(100), 5)))
                        .requests(new Requests(
                                true,
                                true,
                                new Pause("why", "who", due.minusSeconds(1), due),
                                new ExtraRun(
                                        due.minusSeconds(8),
                                        new EncodedCommand("note", 2, Map.of("text", "once")),
                                        TRACE,
                                        3,
                                        due.minusSeconds(12)),
                                new ScheduleChange(
                                        due.minusSeconds(9), due.minusSeconds(11), due.minusSeconds(10), true),
                                List.of(
                                        new PersonalChange(
                                                new Actor("ann", "INC-7"),
                                                due.minusSeconds(10),
                                                List.of("priority", "tags")),
                                        new PersonalChange(
                                                new Actor("bob", null),
                                                due.minusSeconds(11),
                                                List.of("zoneId"),
                                                true,
                                                due.plusSeconds(12)))))
                        .phase(Phase.FAILURE)
                        .blocked(new Blocked(Blocked.Kind.NO_FIRE, "because"))
                        .state(Map.of("cursor", List.of(1, 2L, "x")))
                        .lastStatus(row));
        return new NewJob(job, row);
    }

    /** A one-off given as wall time. */
    public static NewJob local(String key, Instant due) {
        return of(
                id(),
                StoredFields.of(specification(key))
                        .singleSchedule(due, LocalDateTime.parse("2026-03-29T02:30"))
                        .build(),
                due);
    }

    /** A row in which no field has its default value, the end of its life excepted. */
    public static JobExecutionStatus fullRow(String jobId, String key, Instant time) {
        return row(jobId, key, "full", time).toBuilder()
                .executionStatus(ExecutionStatus.FAILED)
                .outcome(Outcome.RETRIES_EXHAUSTED)
                .fireSeq(5)
                .claimSeq(9)
                .fireTime(time.minusMillis(1))
                .nominalFireTime(time.minusMillis(2))
                .startedTime(time.minusMillis(3))
                .attempt(3)
                .late(true)
                .overThreshold(Duration.ofMillis(5))
                .manual(true)
                .command(new EncodedCommand("note", 2, Map.of("text", "once")))
                .node("node")
                .error(new ErrorSummary("T", "message", null))
                .missed(new MissedFires(
                        time.minusSeconds(9), time.minusSeconds(8), 4, true, MissedFires.Reason.TOO_LATE))
                .nextFireTime(time.plusSeconds(7))
                .detail("detail")
                .author("ann")
                .reason("CR-17")
                .changes(List.of(new FieldChange("priority", "4", "2")))
                .rerunOf("id:3")
                .former(StoredFields.former(
                        StoredFields.of(specification(key)
                                        .every(Duration.ofMinutes(5))
                                        .spread(Duration.ofSeconds(9)))
                                .anchor(time.minusSeconds(60))
                                .build(),
                        time))
                .note("half way")
                .build();
    }

    private static PlanBasis basis(Instant due) {
        return new PlanBasis("2026a", LocalDateTime.ofInstant(due, ZoneOffset.UTC), due.minusSeconds(5), null);
    }

    private static PlanBasis afterFire(Instant due) {
        LocalDateTime last = LocalDateTime.parse("2026-03-28T02:30:15.125");
        return new PlanBasis(
                "2026a",
                LocalDateTime.parse("2026-03-29T03:00"),
                due.minusSeconds(60),
                last,
                due.minusSeconds(63),
                due.plusSeconds(7),
                Map.of("week ends, $1", 3L, "a.b", PlanBasis.DECLARED));
    }
}
