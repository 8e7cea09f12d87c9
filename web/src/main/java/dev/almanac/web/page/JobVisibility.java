package dev.almanac.web.page;

import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.StoredJob;
import dev.almanac.web.json.Answers;
import dev.almanac.web.read.StoreReader;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of a job that a viewer may see. */
final class JobVisibility {
    private static final String HIDDEN = "(not shown)";

    private JobVisibility() {}

    /**
     * The pause without what may be about jobs of other applications: the name of a tag or command type, reason and
     * author. The page of a job contains the pause that applies to it.
     */
    static StandingPause shown(PageRequest call, StandingPause pause) {
        PauseScope scope = pause.scope() instanceof PauseScope.Tag
                ? PauseScope.tag(HIDDEN)
                : pause.scope() instanceof PauseScope.CommandType ? PauseScope.commandType(HIDDEN) : null;
        return scope == null || call.viewer().sees().all()
                ? pause
                : new StandingPause(
                        scope,
                        new Pause(
                                HIDDEN,
                                HIDDEN,
                                pause.pause().from(),
                                pause.pause().until()),
                        pause.since());
    }

    /** Findings name jobs of all applications: who may not see the errors of all sees none. */
    static InvariantReport shown(PageRequest call, InvariantReport report) {
        return call.viewer().errors().all() ? report : HiddenErrors.of(report);
    }

    /** Why a job does or does not run, as nodes would say it, without what is about jobs that the viewer may not see. */
    static Explanation explained(PageRequest call, StoreReader storeReader, String key) {
        Explanation whole = Answers.fromOutside(storeReader.scheduler().explainJob(key));
        if (call.viewer().sees().all()) {
            return whole;
        }
        List<Reason> reasons = whole.reasons().stream()
                .map(reason -> isHidden(call, storeReader, reason) ? hidden(reason) : reason)
                .toList();
        Reason first = whole.reasons().get(0);
        String headline = whole.headline().replace(first.text(), reasons.get(0).text());
        return new Explanation(
                whole.jobSpecificationKey(),
                whole.asOf(),
                whole.state(),
                headline,
                whole.nextStart(),
                whole.nextFireTimes(),
                reasons);
    }

    /**
     * An explanation as this viewer may see it. It quotes messages of the job as it was read for it, which may have failed since
     * the caller has read it: with the rows, which are to be read after the explanation, the job is read once more.
     *
     * @param job as it was read before
     * @param rows its rows, if they are needed
     */
    static Explanation withoutErrors(
            PageRequest call,
            StoreReader storeReader,
            Explanation explanation,
            StoredJob job,
            Supplier<List<JobExecutionStatus>> rows) {
        if (hasErrors(call, job)) {
            return explanation;
        }
        Stream<JobExecutionStatus> shown = Stream.concat(Stream.of(job), storeReader.load(List.of(job.id())).stream())
                .map(StoredJob::lastStatus);
        return HiddenErrors.of(
                explanation, Stream.concat(shown, rows.get().stream()).toList());
    }

    private static boolean isHidden(PageRequest call, StoreReader storeReader, Reason reason) {
        if (reason.discreet() != null) {
            return true;
        }
        String holder = reason.who();
        return reason.kind() == Explanation.Kind.WAITING_FOR_GROUP
                && holder != null
                && storeReader.find(holder).filter(job -> isSeen(call, job)).isEmpty();
    }

    private static Reason hidden(Reason reason) {
        String text = Objects.requireNonNullElse(
                reason.discreet(), "waits for its exclusive group, which is in use by jobs that you may not see");
        return new Reason(reason.kind(), text, reason.since(), reason.until(), null);
    }

    /**
     * The job, if a row is of it. One that had the key before may have been of another application: its rows are judged as
     * those of a job that was removed.
     */
    static @Nullable StoredJob ofIts(JobExecutionStatus row, @Nullable StoredJob job) {
        return job == null || !row.jobSpecificationId().equals(job.id()) ? null : job;
    }

    /** Whether the viewer may see what the commands of the job contain; absent = a job that was removed. */
    static boolean hasPayloads(Setup setup, PageRequest call, @Nullable StoredJob job) {
        return job == null
                ? setup.payloads() && call.viewer().payloads().all()
                : hasPayloads(setup, call, job.specification());
    }

    /** As {@link #hasPayloads(Setup, PageRequest, StoredJob)}. */
    static boolean hasPayloads(Setup setup, PageRequest call, JobSpecification job) {
        return setup.payloads()
                && call.viewer().payloads().include(job.applicationTag().orElse(null));
    }

    /** Whether the viewer may see messages of the job's exceptions; absent = a job that was removed. */
    static boolean hasErrors(PageRequest call, @Nullable StoredJob job) {
        return job == null ? call.viewer().errors().all() : hasErrors(call, job.specification());
    }

    /** As {@link #hasErrors(PageRequest, StoredJob)}. */
    static boolean hasErrors(PageRequest call, JobSpecification job) {
        return call.viewer().errors().include(job.applicationTag().orElse(null));
    }

    static boolean isSeen(PageRequest call, StoredJob job) {
        return isSeen(call, job.specification());
    }

    static boolean isSeen(PageRequest call, JobSpecification job) {
        return call.viewer().sees().include(job.applicationTag().orElse(null));
    }
}
