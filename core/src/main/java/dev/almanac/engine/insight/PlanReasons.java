package dev.almanac.engine.insight;

import dev.almanac.engine.rules.FireDecider;
import dev.almanac.engine.rules.FireHistory;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.StartDeadline;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.Phase;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.FirePreview;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reasons from schedule, calendars and zone: when the next fires of a job are, and why. Pure. */
final class PlanReasons {
    private static final int MOST_FIRES = 5;
    /** How many nominal fires are read to find those that a calendar excludes before the next one. */
    private static final int MOST_NOMINAL = 500;

    private static final int MOST_NAMED = 3;

    private final FirePlanner planner;

    private final SchedulerSettings settings;

    PlanReasons(FirePlanner planner, SchedulerSettings settings) {
        this.planner = planner;
        this.settings = settings;
    }

    /** That the planned fire is not started any more. */
    void tooLate(StoredJob job, Instant now, List<Reason> reasons) {
        Instant fire = job.plan().nextFireTime();
        boolean asked = job.lease() != null || job.requests().runNowRequested();
        Optional<StartDeadline.Over> over = asked ? Optional.empty() : StartDeadline.ofNextClaim(job, now, settings);
        over.ifPresent(it -> reasons.add(new Reason(
                Kind.TOO_LATE,
                "is too late since " + it.since() + " for its fire of " + fire + ": " + it.why()
                        + "; the next claim records that and does not run it",
                it.since(),
                null,
                null)));
    }

    private String deadline(StoredJob job) {
        return StartDeadline.text(job.specification(), settings);
    }

    /** The calendars for want of which this node leaves the job to others. */
    void calendars(StoredJob job, Instant now, List<Reason> reasons) {
        List<String> missing = FireDecider.missingCalendars(job, planner, now);
        if (missing.isEmpty()) {
            return;
        }
        boolean follows = job.phase() == Phase.FOLLOW;
        String does = follows ? "can store the follow-ups that name it" : "runs it";
        String text =
                (follows ? "owes follow-ups with" : "names") + " calendars that this node does not know: " + missing
                        + "; "
                        + missing.stream()
                                .map(name -> planner.whyUnknown(name).words(name, does))
                                .collect(Collectors.joining("; "));
        reasons.add(new Reason(Kind.UNKNOWN_CALENDAR, text, null, null, String.join(",", missing)));
    }

    /** That later fires cannot be computed here, though the next thing that is done with the job needs no calendar. */
    void unknownFires(StoredJob job, Instant now, List<Reason> beside) {
        List<String> unknown = planner.unknownCalendars(job.specification());
        boolean told = !job.isHeldAt(now)
                && FireDecider.missingCalendars(job, planner, now).containsAll(unknown);
        if (!unknown.isEmpty() && !told && !job.requests().cancelRequested()) {
            String text = "has later fires that this process cannot compute: it does not know the calendars " + unknown;
            beside.add(new Reason(Kind.UNKNOWN_CALENDAR, text, null, null, String.join(",", unknown)));
        }
    }

    /**
     * The planned fires from the present one on, without that one if it has ended, and only that one if the job is cancelled.
     * {@code reasons} gets an entry if the schedule cannot be read.
     */
    List<Instant> fires(StoredJob job, List<Reason> reasons) {
        List<Instant> fires = new ArrayList<>();
        Instant fire = job.plan().nextFireTime();
        JobSpecification specification = job.specification();
        if (job.requests().cancelRequested()) {
            return fire == null ? List.of() : List.of(fire);
        }
        boolean ended = job.hasFireEnded();
        List<String> unknown = planner.unknownCalendars(specification);
        if (!unknown.isEmpty()) {
            if (fire != null && !ended) {
                fires.add(fire);
            }
            return fires;
        }
        ScheduleChange change = job.requests().scheduleChanged();
        try {
            (ended ? FireHistory.next(job, planner) : FireHistory.awaited(job, planner)).ifPresent(fires::add);
            if (change != null && fire != null && fires.contains(fire)) {
                FireHistory.next(job, planner).ifPresent(fires::add);
            }
            Instant present = ended ? null : job.plan().carried();
            Instant carried = change == null ? present : fires.contains(change.carried()) ? change.at() : null;
            follow(specification, carried, fires, bound(job, ended));
        } catch (RuntimeException e) {
            String text = "cannot be planned: " + e.getMessage();
            reasons.add(new Reason(Kind.UNPLANNABLE, text, null, null, null));
        }
        return fires;
    }

    /** @param carried from when the schedule goes on behind a carried fire; absent = it is one of the schedule */
    private void follow(JobSpecification job, @Nullable Instant carried, List<Instant> fires, long most) {
        boolean more = !fires.isEmpty();
        Instant after = carried;
        while (more && fires.size() < most) {
            Optional<PlannedFire> next = planner.next(job, after == null ? fires.get(fires.size() - 1) : after);
            next.ifPresent(planned -> fires.add(planned.fireTime()));
            after = null;
            more = next.isPresent();
        }
    }

    /** @param ended the present fire, which is not counted yet */
    private static long bound(StoredJob job, boolean ended) {
        Integer most = FirePlanner.most(job.specification());
        return most == null
                ? MOST_FIRES
                : Math.min(MOST_FIRES, most - job.plan().firesEnded() - (ended ? 1 : 0));
    }

    /** Why the next fire is at its time, and which fires before it are excluded. */
    void reasons(StoredJob job, Instant now, List<Reason> reasons) {
        JobSpecification specification = job.specification();
        Instant fire = job.plan().nextFireTime();
        boolean known = planner.unknownCalendars(specification).isEmpty();
        if (fire == null || !known || job.plan().carried() != null || job.phase() == Phase.FOLLOW) {
            return;
        }
        try {
            shifted(job, fire, reasons);
            willBeDropped(specification, fire, now, reasons);
            if (specification.isRecurring()) {
                leftOut(specification, fire, now, reasons);
            }
        } catch (RuntimeException e) {
            boolean listed = reasons.stream().anyMatch(reason -> reason.kind() == Kind.UNPLANNABLE);
            if (!listed) {
                reasons.add(new Reason(Kind.UNPLANNABLE, "cannot be planned: " + e.getMessage(), null, null, null));
            }
        }
    }

    /** What delays each fire of the job. */
    static void delays(JobSpecification job, List<Reason> reasons) {
        Duration delay = StoredFields.spreadOf(job);
        if (!delay.isZero()) {
            String text = "has each fire " + delay + " later than its schedule says: its part of the spread of "
                    + job.spread().orElse(Duration.ZERO);
            reasons.add(new Reason(Kind.SPREAD, text, null, null, null));
        }
        if (job.cronDialect() == CronDialect.EVERY_AFTER_END) {
            String text = "fires " + job.schedulingSpecification().orElseThrow()
                    + " after the end of each run, its retries included;" + " so no later fire is known yet";
            reasons.add(new Reason(Kind.AFTER_END, text, null, null, null));
        }
    }

    /** What else decides about its next runs: a grace, a saved state, failures that are counted. */
    void beside(StoredJob job, List<Reason> reasons) {
        Duration grace = job.specification().missedFireGrace().orElse(Duration.ZERO);
        if (!grace.isZero()) {
            String text = "counts a fire as missed only if it has passed by more than " + grace;
            reasons.add(new Reason(Kind.GRACE, text, null, null, null));
        }
        if (StartDeadline.of(job.specification(), settings).isPresent()) {
            String text = "starts a fire no later than that after its time, or not at all: " + deadline(job);
            reasons.add(new Reason(Kind.START_DEADLINE, text, null, null, null));
        }
        if (!job.state().isEmpty()) {
            String text = "hands " + job.state().size() + " values that its last run has saved to the next run";
            reasons.add(new Reason(Kind.SAVED_STATE, text, null, null, null));
        }
        Integer most = job.specification().pauseAfterFailures().orElse(null);
        int failed = job.plan().failuresInARow();
        if (most != null && failed > 0) {
            String text = "has failed for good in " + failed + " fires in a row; after " + most + " it is paused";
            reasons.add(new Reason(Kind.FAILURES_COUNTED, text, null, null, null));
        }
    }

    private void shifted(StoredJob job, Instant fire, List<Reason> reasons) {
        Instant nominal = job.plan().nominalFireTime();
        if (nominal == null) {
            return;
        }
        List<String> by = planner.excluding(job.specification(), nominal);
        String text = "has its next fire moved from " + nominal + " to " + fire + " by " + calendars(by) + ", "
                + job.specification().calendarPolicy();
        reasons.add(new Reason(Kind.SHIFTED, text, nominal, fire, by.isEmpty() ? null : String.join(",", by)));
    }

    private void willBeDropped(JobSpecification job, Instant fire, Instant now, List<Reason> reasons) {
        List<String> by = job.calendarPolicy() == CalendarPolicy.DROP && !fire.isBefore(now)
                ? planner.excluding(job, fire)
                : List.of();
        if (!by.isEmpty()) {
            String text = "will not run its planned fire of " + fire + ": " + calendars(by) + " excludes it by now";
            reasons.add(new Reason(Kind.EXCLUDED, text, null, fire, String.join(",", by)));
        }
    }

    /** Nominal fires between now and the next fire, by the calendar that excludes them. */
    private void leftOut(JobSpecification job, Instant fire, Instant now, List<Reason> reasons) {
        Map<String, List<Instant>> excluded = new LinkedHashMap<>();
        List<FirePreview> rows = fire.isAfter(now) ? planner.preview(job, now, MOST_NOMINAL) : List.of();
        for (FirePreview row : rows) {
            boolean before = row.nominalTime().isBefore(fire);
            if (before && row.reason() == FirePreview.Reason.EXCLUDED) {
                excluded.computeIfAbsent(job.calendars().get(row.calendar()), name -> new ArrayList<>())
                        .add(row.nominalTime());
            }
            if (fire.equals(row.fireTime()) && row.reason() == FirePreview.Reason.MOVED_BY_GAP) {
                String text = "has its next fire moved from " + row.wantedTime() + " to " + fire
                        + ", since the clocks of " + job.zoneId() + " leave that time out";
                reasons.add(new Reason(Kind.CLOCK_CHANGE, text, null, fire, null));
            }
        }
        boolean more = rows.size() == MOST_NOMINAL
                && rows.get(rows.size() - 1).nominalTime().isBefore(fire);
        excluded.forEach((name, times) -> reasons.add(excluded(name, times, more)));
    }

    private static Reason excluded(String calendar, List<Instant> times, boolean more) {
        String text =
                "has " + times.size() + (more ? " or more" : "") + " fires before the next one excluded by calendar '"
                        + calendar + "': " + times.subList(0, Math.min(MOST_NAMED, times.size()))
                        + (times.size() > MOST_NAMED ? " and further" : "");
        return new Reason(Kind.EXCLUDED, text, times.get(0), times.get(times.size() - 1), calendar);
    }

    private static String calendars(List<String> names) {
        return names.isEmpty() ? "a calendar as it was then" : "calendar '" + String.join("', '", names) + "'";
    }

    /** The state of a job in the phase FOLLOW. */
    static String storing(StoredJob job) {
        JobExecutionStatus verdict = job.verdict();
        String end = verdict == null ? "" : " as " + verdict.outcome() + " at " + verdict.updatedTime();
        return "its run has ended" + end + ", its follow-ups come next, and nothing of it runs again";
    }

    /** The follow-ups of its next run. */
    static void followUps(StoredJob job, List<Reason> reasons) {
        String good = keys(job.specification().onSuccess());
        String failed = keys(job.specification().onFailure());
        String text = Stream.of(
                        good.isEmpty() ? "" : "is followed by " + good + " after a successful run",
                        failed.isEmpty() ? "" : "is followed by " + failed + " when a fire has failed for good")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        if (!text.isEmpty()) {
            reasons.add(new Reason(Kind.FOLLOW_UPS, text, null, null, null));
        }
    }

    private static String keys(List<JobSpecification> followUps) {
        return followUps.stream()
                .map(followUp -> "'" + followUp.jobSpecificationKey() + "'")
                .collect(Collectors.joining(", "));
    }
}
