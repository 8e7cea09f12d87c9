package dev.almanac.store;

import dev.almanac.model.History;
import dev.almanac.model.JobSpecification;
import dev.almanac.time.CronDialect;
import dev.almanac.time.RuleReader;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/**
 * The features that a job uses beyond those of the first version, by names in its document: a node that does not support
 * one of them leaves the job alone (rule X6). A name is added with each such feature and is never given another
 * meaning.
 */
public final class Needs {
    private static final String RRULE = "rrule";
    private static final String TROUBLE = "history-trouble";
    private static final String POSTPONED = "postponed";
    private static final String PAUSES = "pause-after-failures";
    private static final String STATE = "state";
    private static final String FOLLOW_UPS = "follow-ups";
    private static final String FOLLOW_UP_CALENDARS = "follow-up-calendars";

    /**
     * Of a one-off: its calendars apply to its moment. Without it, the job was stored by a version that ignored them.
     */
    public static final String SINGLE_CALENDARS = "single-calendars";

    private static final Set<String> ALWAYS = Set.of(
            "every",
            "every-after-end",
            "spread",
            "missed-fire-grace",
            TROUBLE,
            STATE,
            POSTPONED,
            PAUSES,
            FOLLOW_UPS,
            FOLLOW_UP_CALENDARS,
            SINGLE_CALENDARS);

    private Needs() {}

    /** The needs of a stored job, in order; empty for most jobs. */
    public static List<String> of(StoredJob job) {
        List<String> needs = of(job.specification());
        if (job.plan().postponed() > 0) {
            needs.add(POSTPONED);
        }
        if (!job.state().isEmpty()) {
            needs.add(STATE);
        }
        if (job.phase() == Phase.FOLLOW && !needs.contains(FOLLOW_UPS)) {
            needs.add(FOLLOW_UPS);
        }
        return needs;
    }

    /** The needs of its contents. */
    private static List<String> of(JobSpecification job) {
        List<String> needs = new ArrayList<>();
        if (job.isRecurring() && !job.cronDialect().isCron()) {
            needs.add(name(job.cronDialect()));
        }
        if (job.missedFireGrace() != null) {
            needs.add("missed-fire-grace");
        }
        if (job.pauseAfterFailures() != null) {
            needs.add(PAUSES);
        }
        if (job.spread() != null) {
            needs.add("spread");
        }
        if (job.history() == History.TROUBLE) {
            needs.add(TROUBLE);
        }
        if (job.calendarsOnSingle() && !job.isRecurring() && !job.calendars().isEmpty()) {
            needs.add(SINGLE_CALENDARS);
        }
        followUps(job, needs);
        return needs;
    }

    /** Adds the needs of follow-ups: a node that cannot read one cannot store it. */
    private static void followUps(JobSpecification job, List<String> needs) {
        List<JobSpecification> followUps = new ArrayList<>(job.onSuccess());
        followUps.addAll(job.onFailure());
        if (!followUps.isEmpty()) {
            needs.add(FOLLOW_UPS);
        }
        for (JobSpecification followUp : followUps) {
            List<String> more = of(followUp);
            // that decides what the calendars of the job itself mean
            more.remove(SINGLE_CALENDARS);
            if (!followUp.isRecurring() && !followUp.calendars().isEmpty()) {
                more.add(FOLLOW_UP_CALENDARS);
            }
            more.removeAll(needs);
            needs.addAll(more);
        }
    }

    private static String name(CronDialect dialect) {
        return switch (dialect) {
            case EVERY_AFTER_END -> "every-after-end";
            case RRULE -> RRULE;
            case EVERY, QUARTZ, UNIX -> "every";
        };
    }

    /** The needs that this process supports; recurrence rules only with the module that reads them. */
    public static Set<String> known() {
        Set<String> known = new TreeSet<>(ALWAYS);
        if (ServiceLoader.load(RuleReader.class, RuleReader.class.getClassLoader())
                .findFirst()
                .isPresent()) {
            known.add(RRULE);
        }
        return known;
    }
}
