package dev.almanac.web.page;

import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.StoredJob;
import dev.almanac.web.read.StoreReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a job that a viewer may see. */
final class JobVisibility {
    private static final String HIDDEN = "(not shown)";
    /** In front of the command types of the nodes, which belong to all applications. */
    private static final String TYPES = "; together they have [";

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

    /** Why a job does or does not run, without what is about jobs that the viewer may not see. */
    static Explanation explained(PageRequest call, StoreReader storeReader, String key) {
        Explanation whole = storeReader.scheduler().explainJob(key);
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

    private static boolean isHidden(PageRequest call, StoreReader storeReader, Reason reason) {
        if (reason.kind() == Explanation.Kind.SLOTS_TAKEN || reason.text().contains(TYPES)) {
            return true;
        }
        String holder = reason.who();
        return reason.kind() == Explanation.Kind.WAITING_FOR_GROUP
                && holder != null
                && storeReader.find(holder).filter(job -> isSeen(call, job)).isEmpty();
    }

    private static Reason hidden(Reason reason) {
        int types = reason.text().indexOf(TYPES);
        String text = types >= 0
                ? reason.text().substring(0, types)
                : reason.kind() == Explanation.Kind.SLOTS_TAKEN
                        ? "waits behind other jobs, which take the slots of the nodes"
                        : "waits for its exclusive group, which is in use by jobs that you may not see";
        return new Reason(reason.kind(), text, reason.since(), reason.until(), null);
    }

    /** Whether the viewer may see what the commands of the job contain. */
    static boolean hasPayloads(Setup setup, PageRequest call, StoredJob job) {
        return hasPayloads(setup, call, job.specification());
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
