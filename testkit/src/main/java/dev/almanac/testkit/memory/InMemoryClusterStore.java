package dev.almanac.testkit.memory;

import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DeclaredJobs;
import dev.almanac.store.JobWatch;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Shared state of nodes, in the memory of this process. */
final class InMemoryClusterStore implements ClusterStore {
    /** How long a report is kept after the last one. */
    private static final Duration KEPT = Duration.ofHours(1);

    private static final Duration MINUTES_KEPT = Duration.ofDays(7);

    private final LongSupplier liveJobs;
    private final LongSupplier openFailures;
    private final BiFunction<Instant, Integer, Long> purge;
    private final InMemoryWatches watches;
    private final Map<String, NodeReport> nodes = new LinkedHashMap<>();
    private final List<StandingPause> pauses = new ArrayList<>();
    private final Map<String, StoredCalendar> calendars = new TreeMap<>();
    private final List<Replaced> replaced = new ArrayList<>();
    private final Map<String, StoredGroup> groups = new TreeMap<>();
    private final Map<String, DeclaredJobs> declared = new LinkedHashMap<>();
    private final TreeMap<String, MinuteReport> minutes = new TreeMap<>();
    private final Map<String, Turn> turns = new HashMap<>();
    private long calendarEdits;
    private long interrupts;
    private @Nullable String zoneRules;

    private record Turn(String node, Instant until, String place) {}

    private record Replaced(StoredCalendar calendar, Instant deleteTime) {}

    /**
     * @param liveJobs counts the live jobs
     * @param openFailures counts those with failures in a row
     * @param purge removes what has expired, at most so many
     * @param watches are notified of new jobs
     */
    InMemoryClusterStore(
            LongSupplier liveJobs,
            LongSupplier openFailures,
            BiFunction<Instant, Integer, Long> purge,
            InMemoryWatches watches) {
        this.liveJobs = liveJobs;
        this.openFailures = openFailures;
        this.purge = purge;
        this.watches = watches;
    }

    @Override
    public synchronized List<NodeReport> report(NodeReport node, Instant liveSince) {
        nodes.merge(node.id(), node, (left, late) -> left.stopped() ? left : late);
        nodes.values().removeIf(other -> other.seen().plus(KEPT).isBefore(node.seen()));
        return nodes(liveSince).stream().filter(other -> !other.stopped()).toList();
    }

    @Override
    public synchronized List<NodeReport> nodes(Instant seenSince) {
        return nodes.values().stream()
                .filter(node -> !node.seen().isBefore(seenSince))
                .sorted(Comparator.comparing(NodeReport::started).thenComparing(NodeReport::id))
                .toList();
    }

    @Override
    public long liveJobs(int limit) {
        return Math.min(limit, liveJobs.getAsLong());
    }

    @Override
    public long openFailures(int limit) {
        return Math.min(limit, openFailures.getAsLong());
    }

    @Override
    public long purge(Instant now, int limit) {
        long removed = purge.apply(now, limit);
        return removed + purgeReplaced(now, limit - removed);
    }

    private synchronized int purgeReplaced(Instant now, long limit) {
        List<Replaced> over = replaced.stream()
                .filter(version -> InMemoryJobStore.isOver(version.deleteTime(), now))
                .limit(limit)
                .toList();
        replaced.removeAll(over);
        return over.size();
    }

    @Override
    public JobWatch watch(Set<String> types) {
        return watches.open(types);
    }

    @Override
    public synchronized ClusterControl control() {
        return new ClusterControl(List.copyOf(pauses), calendarEdits, zoneRules, interrupts, Map.copyOf(groups));
    }

    @Override
    public synchronized boolean pause(StandingPause pause, @Nullable Instant replaced) {
        Instant dayBefore = pause.since().minus(StandingPause.KEPT);
        Instant present = pauses.stream()
                .filter(other -> other.replaces(pause.scope(), pause.pause().from()))
                .map(StandingPause::since)
                .findFirst()
                .orElse(null);
        boolean meant = Objects.equals(present, replaced);
        if (meant) {
            pauses.removeIf(other -> other.replaces(pause.scope(), pause.pause().from()));
            pauses.add(pause);
        }
        pauses.removeIf(other -> other.pause().hasEnded(dayBefore));
        return meant;
    }

    @Override
    public synchronized boolean resume(PauseScope scope, @Nullable Instant from, @Nullable Instant since) {
        return pauses.removeIf(pause -> pause.replaces(scope, from) && (since == null || since.equals(pause.since())));
    }

    @Override
    public synchronized List<StoredCalendar> calendars() {
        return List.copyOf(calendars.values());
    }

    @Override
    public synchronized boolean putCalendar(StoredCalendar calendar) {
        StoredCalendar stored = calendars.get(calendar.name());
        boolean next = stored == null || stored.version() == calendar.version() - 1;
        if (next) {
            calendars.put(calendar.name(), calendar);
        }
        if (next && stored != null) {
            keep(stored, calendar);
        }
        calendarEdits++;
        return next;
    }

    @Override
    public synchronized List<StoredCalendar> calendarVersions(Collection<String> names) {
        return replaced.stream()
                .map(Replaced::calendar)
                .filter(calendar -> names.contains(calendar.name()))
                .toList();
    }

    private void keep(StoredCalendar stored, StoredCalendar next) {
        Instant later =
                next.latestUpdate().isAfter(stored.latestUpdate()) ? next.latestUpdate() : stored.latestUpdate();
        replaced.add(new Replaced(stored, later.plus(StoredCalendar.KEPT)));
        long oldest = stored.version() - StoredCalendar.MOST_KEPT;
        replaced.removeIf(other -> other.calendar().name().equals(stored.name())
                && other.calendar().version() <= oldest);
    }

    @Override
    public synchronized void requestInterrupt() {
        interrupts++;
    }

    @Override
    public synchronized @Nullable String takeTurn(
            String name, String node, Instant now, Instant until, @Nullable String place) {
        Turn turn = turns.get(name);
        if (turn != null
                && !turn.node().equals(node)
                && turn.until().isAfter(now)
                && !turn.until().isAfter(now.plus(LONGEST_TURN))) {
            return null;
        }
        String stored = turn == null ? "" : turn.place();
        turns.put(name, new Turn(node, until, place == null ? stored : place));
        return turns.get(name).place();
    }

    @Override
    public synchronized boolean putGroup(StoredGroup group) {
        Instant oldest = group.latestUpdate().minus(StoredGroup.REMEMBERED);
        groups.values()
                .removeIf(other -> other.deleted() && other.latestUpdate().isBefore(oldest));
        StoredGroup stored = groups.getOrDefault(group.name(), StoredGroup.unlisted(group.name()));
        boolean next = stored.version() == group.version() - 1;
        if (next) {
            groups.put(group.name(), group.with(stored.use()));
        }
        return next;
    }

    @Override
    public synchronized boolean countClaims(StoredGroup seen, RateUse next) {
        StoredGroup stored = groups.get(seen.name());
        boolean same = stored != null
                && stored.version() == seen.version()
                && stored.use().number() == seen.use().number();
        if (same) {
            groups.put(seen.name(), stored.with(next));
        }
        return same;
    }

    @Override
    public synchronized DeclaredJobs declared(String applicationTag) {
        return declared.getOrDefault(applicationTag, DeclaredJobs.NONE);
    }

    @Override
    public synchronized boolean declare(String applicationTag, DeclaredJobs next) {
        boolean same = declared(applicationTag).version() == next.version() - 1;
        if (same) {
            declared.put(applicationTag, next);
        }
        return same;
    }

    @Override
    public synchronized void addMinute(MinuteReport minute) {
        minutes.put(minute.minute() + " " + minute.node(), minute);
        String oldest = minute.minute().minus(MINUTES_KEPT).toString();
        minutes.headMap(oldest).clear();
    }

    @Override
    public synchronized List<MinuteReport> minutes(Instant since) {
        return minutes.values().stream()
                .filter(minute -> !minute.minute().isBefore(since))
                .toList();
    }

    @Override
    public synchronized void checkedZoneRules(String version) {
        zoneRules = version;
    }
}
