package dev.almanac.testkit.memory;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.StandingPause;
import dev.almanac.store.DueQuery;
import dev.almanac.store.Needs;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which jobs match a query. */
final class JobMatch {
    private static final Set<String> KNOWN_NEEDS = Needs.known();

    private JobMatch() {}

    /** Whether a query has to examine a job, by its key and whether it is live. */
    static boolean isLookedAt(JobQuery query, StoredJob job) {
        JobState state = query.state();
        // the state in the query decides whether finished jobs match
        return (job.isLive() || state != null && state.isFinished())
                && (query.keyPrefix() == null || job.key().startsWith(query.keyPrefix()));
    }

    /** Whether an examined job matches. */
    static boolean matches(JobQuery query, StoredJob job, Instant now, Collection<StandingPause> pauses) {
        JobSpecification spec = job.specification();
        Instant next = job.plan().nextFireTime();
        return (query.state() == null || job.stateAt(now, pauses) == query.state())
                && same(query.jobRequestor(), spec.jobRequestor())
                && same(query.applicationTag(), spec.applicationTag().orElse(null))
                && same(query.commandType(), type(spec))
                && (query.calendar() == null
                        || spec.calendars().contains(query.calendar())
                        || job.followUpCalendars().contains(query.calendar()))
                && (query.tag() == null || spec.tags().contains(query.tag()))
                && (query.nextFireFrom() == null || next != null && !next.isBefore(query.nextFireFrom()))
                && (query.nextFireUntil() == null || next != null && next.isBefore(query.nextFireUntil()));
    }

    /** Whether a job matches a look, whenever it is due. */
    static boolean isFor(DueQuery query, StoredJob job, int partition) {
        JobSpecification spec = job.specification();
        String group = spec.exclusiveGroup().orElse(null);
        return query.types().contains(job.command().type())
                && query.partitions().contains(partition)
                && (group == null || !query.exceptGroups().contains(group))
                && query.exceptTags().stream().noneMatch(spec.tags()::contains)
                && spec.priority() >= query.minPriority()
                && spec.priority() <= query.maxPriority()
                && (query.anyNeeds() || KNOWN_NEEDS.containsAll(Needs.of(job)));
    }

    private static String type(JobSpecification job) {
        return ((EncodedCommand) job.triggerCommand()).type();
    }

    private static boolean same(@Nullable String wanted, @Nullable String actual) {
        return wanted == null || wanted.equals(actual);
    }
}
