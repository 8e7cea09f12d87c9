package dev.almanac.web;

import dev.almanac.model.Actor;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FirstFire;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.LogLine;
import dev.almanac.model.Outcome;
import dev.almanac.model.StoredFields;
import dev.almanac.store.Blocked;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.Requests;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** A job in which every field is set, and in which all that a viewer may not see begins with {@code secret-}. */
final class SecretJob {
    private SecretJob() {}

    /** Stores one, which is blocked, with a failed fire and rows that have a log, a state and a skipped run. */
    static StoredJob stored(JobStore store, String key, String application) {
        Instant due = Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
        NewJob full = Specimens.full(key, due);
        StoredJob plain = full.job();
        JobSpecification specification = StoredFields.of(plain.specification().toBuilder()
                        .applicationTag(application)
                        .triggerCommand(command("secret-body"))
                        .triggerIdentifier("secret-id")
                        .failureCommand(command("secret-failure"))
                        .failureIdentifier("secret-failure-id")
                        .spread(Duration.ofSeconds(3))
                        .missedFireGrace(Duration.ofSeconds(4))
                        .pauseAfterFailures(9)
                        .history(History.TROUBLE)
                        .firstFire(FirstFire.NOW)
                        .onSuccess(followUp(key + "-next"))
                        .onFailure(followUp(key + "-other")))
                .anchor(due.minusSeconds(5))
                .calendarsByDefault(true)
                .followUpOf("parent")
                .once(true)
                .build();
        JobExecutionStatus row = plain.lastStatus().toBuilder()
                .error(new ErrorSummary("java.lang.IllegalStateException", "secret-message", "at secret-stack"))
                .changes(List.of(new FieldChange("triggerIdentifier", "secret-old", "secret-id")))
                .command(command("secret-run"))
                .build();
        StoredJob job = plain.with(edit -> edit.specification(specification)
                .requests(edited(plain, due))
                .blocked(Blocked.toRepair("the command cannot be read: secret-blocked"))
                .state(Map.of("cursor", "secret-state"))
                .lastStatus(row));
        store.insert(List.of(new NewJob(job, row)));
        store.writeRows(List.of(
                row(job, "log", due.plusMillis(1)).toBuilder()
                        .startedTime(due)
                        .outcome(Outcome.ATTEMPT_FAILED)
                        .log(List.of(new LogLine(due, "secret-log")))
                        .state(Map.of("cursor", "secret-state-of-row"))
                        .build(),
                row(job, "skipped", due.minusMillis(1)).toBuilder()
                        .outcome(Outcome.SKIPPED)
                        .detail("secret-detail")
                        .build()));
        return job;
    }

    /** With a pin that has a reason. */
    private static Requests edited(StoredJob job, Instant until) {
        Actor ann = new Actor("ann", "CR-17");
        return job.requests()
                .withPersonal(List.of(new PersonalChange(
                        ann, until.minusSeconds(11), List.of("zoneId"), true, until.plusSeconds(12))));
    }

    private static JobExecutionStatus row(StoredJob job, String name, Instant at) {
        return Specimens.row(job.id(), job.key(), name, at);
    }

    private static EncodedCommand command(String secret) {
        return new EncodedCommand("book", 1, Map.of("account", secret));
    }

    private static JobSpecification followUp(String key) {
        return Specimens.specification(key)
                .triggerCommand(command("secret-next-body"))
                .triggerIdentifier("secret-next-id")
                .now()
                .build();
    }
}
