package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which jobs follow the end of a run, and how their templates are filled in. Pure functions. */
public final class FollowUps {
    /** The templates of keys and identifiers. */
    static final String KEY = "{key}";

    static final String FIRE_TIME = "{fireTime}";
    static final String CLAIM = "{claim}";

    /** Longer than a rollout. */
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private static final Pattern TEMPLATE = Pattern.compile("\\{[A-Za-z]+}");

    private static final Set<Outcome> FAILURES = EnumSet.of(
            Outcome.RETRIES_EXHAUSTED, Outcome.NON_RETRYABLE, Outcome.CRASHED, Outcome.ABANDONED, Outcome.EXPIRED);

    private FollowUps() {}

    /** The follow-ups of both kinds, without their own follow-ups. */
    public static List<JobSpecification> all(JobSpecification job) {
        List<JobSpecification> all = new ArrayList<>(job.onSuccess());
        all.addAll(job.onFailure());
        return all;
    }

    /**
     * The calendars of the follow-ups of a verdict that this node lacks and that others may have: so long after the verdict
     * the follow-ups are left to others. After that those that need them are refused, so that their job goes on.
     */
    public static List<String> awaitedCalendars(StoredJob job, FirePlanner planner, Instant now) {
        JobExecutionStatus verdict = job.verdict();
        return verdict == null || !areLeftToOthers(verdict, now)
                ? List.of()
                : owed(job, verdict).stream()
                        .flatMap(followUp -> planner.calendarsOfOthers(followUp).stream())
                        .distinct()
                        .toList();
    }

    /** Whether those of a verdict whose calendars are not known here are left to others. */
    public static boolean areLeftToOthers(JobExecutionStatus verdict, Instant now) {
        return now.isBefore(verdict.updatedTime().plus(LONGEST_WAIT));
    }

    /** The follow-ups that a job owes for its verdict, as they were when that was written. */
    public static List<JobSpecification> owed(StoredJob job, JobExecutionStatus verdict) {
        return job.followUps().isEmpty() ? of(job.specification(), verdict) : job.followUps();
    }

    /** The job with other contents; those that it owes stay as they are (rule N8). */
    static StoredJob keepOwed(StoredJob job, StoredJob changed) {
        JobExecutionStatus verdict = job.verdict();
        if (job.phase() != Phase.FOLLOW || verdict == null) {
            return changed;
        }
        List<JobSpecification> owed = owed(job, verdict);
        return owed.equals(of(changed.specification(), verdict)) ? changed : changed.with(edit -> edit.followUps(owed));
    }

    /** The follow-ups of the end that a row records; none if it records no such end. */
    public static List<JobSpecification> of(JobSpecification job, JobExecutionStatus row) {
        if (row.outcome() == Outcome.SUCCEEDED) {
            return job.onSuccess();
        }
        boolean never = row.outcome() == Outcome.EXPIRED && job.isRecurring();
        boolean failed = row.executionStatus() == ExecutionStatus.FAILED && FAILURES.contains(row.outcome());
        return failed && !never ? job.onFailure() : List.of();
    }

    /** A follow-up as it is stored after the end of a run. */
    public static JobSpecification filledIn(
            JobSpecification followUp, JobSpecification job, JobExecutionStatus verdict) {
        Instant fire = Objects.requireNonNullElse(verdict.fireTime(), verdict.updatedTime());
        return filledIn(followUp, job.jobSpecificationKey(), fire.toString(), String.valueOf(verdict.claimSeq()));
    }

    static JobSpecification filledIn(JobSpecification followUp, String key, String fireTime, String claim) {
        return followUp.toBuilder()
                .jobSpecificationKey(filledIn(followUp.jobSpecificationKey(), key, fireTime, claim))
                .triggerIdentifier(filledIn(followUp.triggerIdentifier(), key, fireTime, claim))
                .build();
    }

    private static String filledIn(String text, String key, String fireTime, String claim) {
        return TEMPLATE.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        switch (found.group()) {
                            case KEY -> key;
                            case FIRE_TIME -> fireTime;
                            case CLAIM -> claim;
                            default -> found.group();
                        }));
    }

    /** The parts of a text that look like templates and are not known. */
    static List<String> unknownTemplates(String text) {
        Set<String> known = Set.of(KEY, FIRE_TIME, CLAIM);
        return TEMPLATE.matcher(text)
                .results()
                .map(found -> found.group())
                .filter(found -> !known.contains(found))
                .toList();
    }
}
