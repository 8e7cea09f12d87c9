package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.PauseScope;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code almanac jobs resume}. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        description = "Ends a pause; fires that passed meanwhile are missed fires.")
final class ResumeCommand extends StoreCommand {
    @Mixin
    private PauseTarget target;

    @Mixin
    private ActorOptions actor;

    @Override
    protected void check() {
        target.check();
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        PauseScope scope = target.scope();
        if (scope == null) {
            JobSelectionOptions jobs = target.jobs();
            jobs.confirm(scheduler, "resume");
            return ActionAnswer.apply(out, scheduler, JobAction.resume(), jobs.selection(), jobs.isDryRun());
        }
        boolean paused = scheduler.resume(scope);
        if (out.isJson()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("scope", scope.toString());
            answer.put("resumed", paused);
            out.json(answer);
            return 0;
        }
        out.line(scope.words()
                + (paused ? " is resumed" : " was not paused, nothing was changed")
                + (scope instanceof PauseScope.Job job ? next(scheduler, job.key()) : ""));
        return 0;
    }

    private static String next(Scheduler scheduler, String key) {
        Job job = scheduler.findJobById(key).orElse(null);
        if (job == null) {
            return "";
        }
        String held = JobLines.heldBy(job, scheduler.pauses());
        if (held != null) {
            return "; it is still paused by the pause of " + held;
        }
        return job.nextFireTime() == null
                ? "; there is no next fire"
                : "; next fire " + Times.both(job.nextFireTime(), JobLines.zoneOf(job));
    }
}
