package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.CompletionDecider;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.util.function.Consumer;

/** Has the end of a run decided and written, and tells of it once it is durable. */
public final class Recorder {
    private final Node node;
    private final CompletionDecider decider;
    private final CompletionDuty completions;
    private final Claims claims;
    private final Consumer<StoredJob> next;

    /** @param next is told of each job that goes on, so that a fire or retry that is due soon is not missed */
    public Recorder(
            Node node, CompletionDecider decider, CompletionDuty completions, Claims claims, Consumer<StoredJob> next) {
        this.node = node;
        this.decider = decider;
        this.completions = completions;
        this.claims = claims;
        this.next = next;
    }

    void record(HeldJob held, RunResult result) {
        completions.submit(new PendingWrite(
                held,
                (job, moment, written) -> decider.decide(job, result, moment, written),
                change -> recorded(held, change),
                null));
    }

    void setAside(HeldJob held, String reason) {
        node.events().emit(new SchedulerEvent.JobSetAside(held.job().key(), reason));
        completions.submit(new PendingWrite(
                held,
                (job, moment, written) -> Transitions.setAside(job, reason, moment),
                change -> recorded(held, change),
                null));
    }

    private void recorded(HeldJob held, JobChange change) {
        claims.end(held);
        for (JobExecutionStatus row : change.rows()) {
            node.events().emit(new SchedulerEvent.RunRecorded(change.after().key(), held.type(), row));
        }
        next.accept(change.after());
    }
}
