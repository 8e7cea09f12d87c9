package dev.almanac.web.page;

import dev.almanac.model.CancelMode;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobAction.SeenFailures;
import dev.almanac.model.JobAction.SeenPause;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.JobState;
import dev.almanac.model.Pause;
import dev.almanac.web.guard.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The actions of the console, each a {@link JobAction}. */
public enum JobActions {
    /** No further fire follows; a run in progress goes on. */
    CANCEL("Cancel", true),
    /** No further fire follows, and a run in progress is interrupted. */
    INTERRUPT("Cancel and interrupt", true),
    /** Pauses the job until it is resumed. */
    PAUSE("Pause", false),
    /** Ends the pause. */
    RESUME("Resume", false),
    /** The planned pause of the job does not begin. */
    WITHDRAW("Withdraw planned pause", false),
    /** One run at once, beside the plan. */
    RUN_NOW("Run now", false),
    /** Repeats runs that have failed for good, at most once per failed run. */
    RERUN("Run again", false),
    /** As {@code RERUN}; a job that has gone well since it failed is not run again. */
    RERUN_FAILED("Run again", false),
    /** The failures of the job are open no more. */
    ACKNOWLEDGE("Acknowledge", false),
    /** The lease is removed, for a run whose code has ended without a result. */
    RELEASE("Release", true),
    /** Some fields are changed, the others stay. */
    UPDATE("Change", false);

    static final List<JobActions> OF_MANY = List.of(PAUSE, RESUME, RUN_NOW, UPDATE, CANCEL);
    static final List<JobActions> OF_FAILED = List.of(RERUN_FAILED, ACKNOWLEDGE, PAUSE, CANCEL);
    static final List<JobActions> OF_ONE =
            List.of(PAUSE, RESUME, WITHDRAW, RUN_NOW, RERUN, ACKNOWLEDGE, UPDATE, CANCEL, INTERRUPT, RELEASE);

    /** Those for the jobs of a list; of jobs that have ended only the failed ones can be acted on. */
    static List<JobActions> ofList(@Nullable String state) {
        if (JobState.FAILED.name().equals(state)) {
            return List.of(RERUN_FAILED);
        }
        return isFinished(state) ? List.of() : OF_MANY;
    }

    private static boolean isFinished(@Nullable String state) {
        return Stream.of(JobState.values())
                .anyMatch(s -> s.isFinished() && s.name().equals(state));
    }

    private final String label;
    private final boolean harsh;

    JobActions(String label, boolean harsh) {
        this.label = label;
        this.harsh = harsh;
    }

    String label() {
        return label;
    }

    /** Whether it cannot be undone. */
    boolean isHarsh() {
        return harsh;
    }

    static @Nullable JobActions read(String name) {
        for (JobActions action : values()) {
            if (action.name().equals(name.toUpperCase(Locale.ROOT))) {
                return action;
            }
        }
        return null;
    }

    /**
     * The action with the values of the form.
     *
     * @param seen the jobs, by key, of which the viewer has seen the effects
     * @param pauses the own pauses of these jobs that the viewer has seen, by key
     */
    JobAction action(PageRequest call, Map<String, JobReference> seen, Map<String, Pause> pauses) {
        return switch (this) {
            case CANCEL -> JobAction.cancel();
            case INTERRUPT -> new JobAction.Cancel(CancelMode.INTERRUPT);
            case PAUSE -> JobAction.pause(new Pause("", "", until(call)));
            case RESUME -> new JobAction.Resume(null, seen(seen, pauses));
            case WITHDRAW -> new JobAction.Resume(planned(call), seen(seen, pauses));
            case RUN_NOW -> JobAction.runNow();
            case RERUN -> JobAction.rerun(failures(seen));
            case RERUN_FAILED -> JobAction.rerunFailed(failures(seen));
            case ACKNOWLEDGE -> JobAction.acknowledge(failures(seen));
            case RELEASE -> release(call);
            case UPDATE -> JobAction.update(edit(call));
        };
    }

    /** Whether it closes the failures of a job, or runs the newest again, which closes it if that goes well. */
    boolean isForFailures() {
        return this == ACKNOWLEDGE || this == RERUN || this == RERUN_FAILED;
    }

    private static Map<String, SeenFailures> failures(Map<String, JobReference> seen) {
        return seen.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, job -> job.getValue().seen()));
    }

    /** Whether it ends the pause of a job, and with it closes its failures. */
    boolean isResume() {
        return this == RESUME || this == WITHDRAW;
    }

    private static Map<String, SeenPause> seen(Map<String, JobReference> jobs, Map<String, Pause> pauses) {
        return jobs.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        job -> new SeenPause(
                                pauses.get(job.getKey()), job.getValue().seen())));
    }

    /** When the pause ends; absent if it has no end, or the action is another one. */
    @Nullable
    Instant until(PageRequest call) {
        return this == PAUSE ? Moments.ahead(call, "until") : null;
    }

    /** The beginning of the pause that the viewer has seen: another one that has taken its place stays. */
    private static @Nullable Instant planned(PageRequest call) {
        call.required("planned");
        return Moments.ahead(call, "planned");
    }

    /** Of the claim that the viewer has seen: another one that has taken its place stays. A preview may be of none. */
    private static JobAction release(PageRequest call) {
        if (call.parameter("claim") == null && !"yes".equals(call.parameter("confirmed"))) {
            return JobAction.release();
        }
        try {
            return JobAction.release(Long.parseLong(call.required("claim")));
        } catch (NumberFormatException e) {
            throw Refusal.badRequest("The form does not name the claim as this console does; load the page again.");
        }
    }

    /** The typed values. */
    static Consumer<JobSpecificationBuilder> edit(PageRequest call) {
        String cron = edited(call, "cron");
        String zone = edited(call, "zoneId");
        String priority = edited(call, "priority");
        int number = priority == null ? 0 : number(priority);
        return job -> edit(job, cron, zone, priority == null ? null : (Integer) number);
    }

    /** What was typed in place of the value that the form was filled with; absent if nothing was. */
    static @Nullable String edited(PageRequest call, String name) {
        String typed = call.parameter(name);
        return typed == null || typed.equals(call.parameter("was." + name)) ? null : typed;
    }

    private static void edit(
            JobSpecificationBuilder job, @Nullable String cron, @Nullable String zone, @Nullable Integer priority) {
        if (cron != null) {
            job.schedulingSpecification(cron);
        }
        if (zone != null) {
            job.zoneId(zone);
        }
        if (priority != null) {
            job.priority(priority);
        }
    }

    private static int number(String typed) {
        try {
            return Integer.parseInt(typed.strip());
        } catch (NumberFormatException e) {
            throw Refusal.ofValue("priority", typed, "is no number; write 0, most urgent, to 7.");
        }
    }
}
