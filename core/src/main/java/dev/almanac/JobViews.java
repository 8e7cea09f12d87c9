package dev.almanac;

import dev.almanac.engine.request.BulkItem;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.model.BulkResult;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.Job;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StandingPause;
import dev.almanac.store.JobList;
import dev.almanac.store.Lease;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** Shows stored jobs to users: commands of known types as objects, others as they are stored. */
final class JobViews {
    private final CommandRegistry registry;
    private final Supplier<Instant> clock;

    /** @param clock the server's, by which states are derived */
    JobViews(CommandRegistry registry, Supplier<Instant> clock) {
        this.registry = registry;
        this.clock = clock;
    }

    /** A job that was just written: pauses of its kind were not read. */
    Job of(StoredJob job) {
        return of(job, clock.get(), List.of());
    }

    /** @param pauses of kinds of jobs */
    Job of(StoredJob job, Instant now, Collection<StandingPause> pauses) {
        Lease lease = job.lease();
        Pause pause = job.requests().pause();
        return new Job(
                shown(job.specification()),
                job.command().type(),
                job.stateAt(now, pauses),
                job.lastStatus(),
                job.isPlannedAt(now) ? job.plan().nextFireTime() : null,
                lease == null ? null : lease.owner(),
                lease == null ? null : lease.until(),
                pause != null && !pause.hasEnded(now) ? pause : null,
                job.blockedReason(),
                job.state(),
                job.progress(),
                PersonalChange.pins(job.requests().personal(), now));
    }

    JobPage page(JobList found, Instant now, Collection<StandingPause> pauses) {
        return new JobPage(
                found.jobs().stream().map(job -> of(job, now, pauses)).toList(),
                found.damaged().stream()
                        .map(damaged -> new JobPage.Damaged(
                                damaged.key(), damaged.isNamed() ? null : damaged.id(), damaged.reason()))
                        .toList(),
                found.lastKey(),
                found.windowOver());
    }

    List<BulkResult> results(List<BulkItem> items) {
        return items.stream()
                .map(item -> new BulkResult(item.key(), item.job() == null ? null : of(item.job()), item.error()))
                .toList();
    }

    /** The job with its commands and those of its follow-ups. */
    private JobSpecification shown(JobSpecification stored) {
        JobSpecificationBuilder job = stored.toBuilder()
                .triggerCommand(shown(stored.triggerCommand()))
                .onSuccess(stored.onSuccess().stream().map(this::shown).toList())
                .onFailure(stored.onFailure().stream().map(this::shown).toList());
        stored.failureCommand().ifPresent(failure -> job.failureCommand(shown(failure)));
        return job.build();
    }

    private SchedulingCommand shown(SchedulingCommand stored) {
        if (!(stored instanceof EncodedCommand encoded) || !registry.knows(encoded)) {
            return stored;
        }
        try {
            return registry.decode(encoded);
        } catch (Throwable unreadable) {
            // of one job, or of this process: the others are shown all the same
            return stored;
        }
    }
}
