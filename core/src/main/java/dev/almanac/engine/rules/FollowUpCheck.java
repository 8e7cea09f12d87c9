package dev.almanac.engine.rules;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StoredFields;
import dev.almanac.time.CronDialect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings the follow-ups of a job into their stored form and checks each like the job that it will be. They are nested
 * values, so only their keys could form a cycle. For one check of one job.
 */
final class FollowUpCheck {
    private static final int DEEPEST = 5;
    private static final int MOST = 100;
    private static final long LARGEST = 1 << 20;
    private static final String RULE = "16";

    private final SpecificationCheck check;
    private final Instant now;
    private final List<Problem> problems;
    private int count;
    private long bytes;

    /** @param problems where what is wrong is added */
    FollowUpCheck(SpecificationCheck check, Instant now, List<Problem> problems) {
        this.check = check;
        this.now = now;
        this.problems = problems;
    }

    /**
     * @param job with its own fields as they will be stored
     * @param stored the job as it is stored; times of follow-ups that are stored there may be past
     */
    JobSpecification checked(JobSpecification job, @Nullable JobSpecification stored) {
        List<JobSpecification> known = stored == null ? List.of() : FollowUps.all(stored);
        JobSpecification checked = checked("", job, List.of(job.jobSpecificationKey()), known);
        size(job);
        if (count > 0 && bytes > LARGEST) {
            wrong(
                    "onSuccess",
                    null,
                    "and the job itself have bodies and tags of " + bytes + " bytes, more than " + LARGEST
                            + "; store bodies elsewhere and schedule their ids");
        }
        return checked;
    }

    /** @param keys the known keys of the job and of the jobs that it follows */
    private JobSpecification checked(
            String path, JobSpecification job, List<String> keys, List<JobSpecification> known) {
        JobSpecificationBuilder whole = job.toBuilder();
        whole.onSuccess(each(path + "onSuccess", job.onSuccess(), job, keys, known));
        whole.onFailure(each(path + "onFailure", job.onFailure(), job, keys, known));
        return whole.build();
    }

    private List<JobSpecification> each(
            String path,
            List<JobSpecification> followUps,
            JobSpecification job,
            List<String> keys,
            List<JobSpecification> known) {
        List<JobSpecification> checked = new ArrayList<>();
        for (JobSpecification followUp : followUps) {
            count++;
            if (count > MOST) {
                wrong(path, null, "there are more than " + MOST + " follow-ups");
                break;
            }
            checked.add(followUp(path + "[" + checked.size() + "]", inheriting(followUp, job), keys, known));
        }
        return checked;
    }

    private static JobSpecification inheriting(JobSpecification followUp, JobSpecification job) {
        JobSpecificationBuilder own = followUp.toBuilder().version(0);
        StoredFields.of(own).latestUpdate(null).deleteTime(null);
        // setting a zone would remove the problem of one that cannot be read
        boolean wrongZone =
                followUp.problems().stream().anyMatch(found -> found.field().equals("zoneId"));
        if (followUp.zoneId() == null && job.zoneId() != null && !wrongZone) {
            own.zoneId(job.zoneId());
        }
        if (followUp.jobRequestor() == null) {
            own.jobRequestor(job.jobRequestor());
        }
        if (followUp.triggerIdentifier() == null) {
            own.triggerIdentifier(followUp.jobSpecificationKey());
        }
        return own.build();
    }

    private JobSpecification followUp(
            String path, JobSpecification followUp, List<String> keys, List<JobSpecification> known) {
        String key = followUp.jobSpecificationKey();
        if (keys.size() > DEEPEST) {
            wrong(path, key, "follows by more than " + DEEPEST + " steps");
            return followUp;
        }
        if (key == null) {
            wrong(path + ".jobSpecificationKey", null, "is required");
            return followUp;
        }
        String parent = keys.get(keys.size() - 1);
        JobSpecification named = FollowUps.filledIn(followUp, parent, FollowUps.FIRE_TIME, FollowUps.CLAIM);
        place(path, followUp, named, keys);
        size(followUp);
        boolean isKnown = known.contains(followUp);
        List<String> below = new ArrayList<>(keys);
        below.add(named.jobSpecificationKey());
        JobSpecification judged = judged(path, followUp, named, isKnown);
        return checked(path + ".", judged, below, isKnown ? FollowUps.all(followUp) : List.of());
    }

    /** Checks that apply to follow-ups only. */
    private void place(String path, JobSpecification followUp, JobSpecification named, List<String> keys) {
        templates(path, followUp);
        if (keys.contains(named.jobSpecificationKey())) {
            wrong(path + ".jobSpecificationKey", followUp.jobSpecificationKey(), "is that of a job which it follows");
        }
        followUp.applicationTag()
                .ifPresent(tag -> wrong(path + ".applicationTag", tag, "reconcile would cancel it; leave it out"));
    }

    private void templates(String path, JobSpecification followUp) {
        List<String> unknown = new ArrayList<>(FollowUps.unknownTemplates(followUp.jobSpecificationKey()));
        unknown.addAll(FollowUps.unknownTemplates(followUp.triggerIdentifier()));
        if (!unknown.isEmpty()) {
            wrong(
                    path + ".jobSpecificationKey",
                    unknown.get(0),
                    "is not known; known are " + FollowUps.KEY + ", " + FollowUps.FIRE_TIME + " and "
                            + FollowUps.CLAIM);
        }
    }

    /** Checks the follow-up as if it were stored now. */
    private JobSpecification judged(String path, JobSpecification followUp, JobSpecification named, boolean known) {
        JobSpecificationBuilder alone = FollowUps.filledIn(named, "", now.toString(), "1").toBuilder()
                .onSuccess(List.of())
                .onFailure(List.of())
                .applicationTag(null);
        if (followUp.isNow()) {
            alone.singleSchedule(now);
        }
        JobSpecification sample = alone.build();
        if (followUp.isNow() && !known) {
            check.unknownCalendars(sample, List.of()).forEach(problem -> problems.add(under(path, problem)));
        }
        try {
            return exact(
                    followUp,
                    // when one of now() is stored is not known, so that its calendars say nothing yet
                    check.accept(sample, List.of(), now, known || followUp.isNow() ? sample : null)
                            .specification());
        } catch (InvalidJobException e) {
            e.problems().forEach(found -> problems.add(under(path, found)));
            return followUp;
        }
    }

    private static Problem under(String path, Problem found) {
        return new Problem(path + "." + found.field(), found.value(), found.rule(), found.advice());
    }

    /** The follow-up with its moments cut to stored precision. */
    private static JobSpecification exact(JobSpecification followUp, JobSpecification accepted) {
        // steps are counted from one that has passed, too
        boolean counts = followUp.cronDialect() == CronDialect.EVERY;
        JobSpecificationBuilder exact = followUp.toBuilder()
                .startAt((counts ? followUp.startAt().map(SpecificationCheck::roundedUp) : accepted.startAt())
                        .orElse(null))
                .endAt(accepted.endAt().orElse(null));
        if (!followUp.isNow()) {
            accepted.singleSchedule()
                    .ifPresent(at -> StoredFields.of(exact)
                            .singleSchedule(at, accepted.singleScheduleLocal().orElse(null)));
        }
        return exact.build();
    }

    private void size(JobSpecification job) {
        bytes += size(job.triggerCommand()) + size(job.failureCommand().orElse(null));
        bytes += PlainValues.size(job.tags()) + PlainValues.size(job.calendars());
        bytes += PlainValues.size(job.schedulingSpecification().orElse(null));
    }

    private static long size(@Nullable SchedulingCommand command) {
        return command instanceof EncodedCommand encoded ? PlainValues.size(encoded.body()) : 0;
    }

    private void wrong(String field, @Nullable String value, String advice) {
        problems.add(new Problem(field, value, RULE, advice));
    }
}
