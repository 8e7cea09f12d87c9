package dev.almanac.testkit.faults;

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
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The way to what nodes share, over the same network as that to the jobs. */
final class FaultyClusterStore implements ClusterStore {
    private final ClusterStore store;
    private final Network network;

    FaultyClusterStore(ClusterStore store, Network network) {
        this.store = store;
        this.network = network;
    }

    @Override
    public List<NodeReport> report(NodeReport node, Instant liveSince) {
        return network.send(StoreCall.REPORT, () -> store.report(node, liveSince));
    }

    @Override
    public List<NodeReport> nodes(Instant seenSince) {
        return network.send(StoreCall.NODES, () -> store.nodes(seenSince));
    }

    @Override
    public long liveJobs(int limit) {
        return network.send(StoreCall.LIVE_JOBS, () -> store.liveJobs(limit));
    }

    @Override
    public long openFailures(int limit) {
        return network.send(StoreCall.OPEN_FAILURES, () -> store.openFailures(limit));
    }

    @Override
    public long purge(Instant now, int limit) {
        return network.send(StoreCall.PURGE, () -> store.purge(now, limit));
    }

    @Override
    public JobWatch watch(Set<String> types) {
        JobWatch watch = network.send(StoreCall.WATCH, () -> store.watch(types));
        return new JobWatch() {
            @Override
            public boolean anyDue() {
                return network.send(StoreCall.WATCH, watch::anyDue);
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }

    @Override
    public ClusterControl control() {
        return network.send(StoreCall.CONTROL, store::control);
    }

    @Override
    public boolean pause(StandingPause pause, @Nullable Instant replaced) {
        return network.send(StoreCall.PAUSE, () -> store.pause(pause, replaced));
    }

    @Override
    public boolean resume(PauseScope scope, @Nullable Instant from, @Nullable Instant since) {
        return network.send(StoreCall.RESUME, () -> store.resume(scope, from, since));
    }

    @Override
    public List<StoredCalendar> calendars() {
        return network.send(StoreCall.CALENDARS, store::calendars);
    }

    @Override
    public boolean putCalendar(StoredCalendar calendar) {
        return network.send(StoreCall.PUT_CALENDAR, () -> store.putCalendar(calendar));
    }

    @Override
    public List<StoredCalendar> calendarVersions(Collection<String> names) {
        return network.send(StoreCall.CALENDAR_VERSIONS, () -> store.calendarVersions(names));
    }

    @Override
    public void requestInterrupt() {
        network.send(StoreCall.REQUEST_INTERRUPT, () -> {
            store.requestInterrupt();
            return true;
        });
    }

    @Override
    public @Nullable String takeTurn(String name, String node, Instant now, Instant until, @Nullable String place) {
        return network.send(
                        StoreCall.TAKE_TURN, () -> Optional.ofNullable(store.takeTurn(name, node, now, until, place)))
                .orElse(null);
    }

    @Override
    public boolean putGroup(StoredGroup group) {
        return network.send(StoreCall.PUT_GROUP, () -> store.putGroup(group));
    }

    @Override
    public boolean countClaims(StoredGroup seen, RateUse next) {
        return network.send(StoreCall.COUNT_CLAIMS, () -> store.countClaims(seen, next));
    }

    @Override
    public DeclaredJobs declared(String applicationTag) {
        return network.send(StoreCall.DECLARED, () -> store.declared(applicationTag));
    }

    @Override
    public boolean declare(String applicationTag, DeclaredJobs next) {
        return network.send(StoreCall.DECLARE, () -> store.declare(applicationTag, next));
    }

    @Override
    public void addMinute(MinuteReport minute) {
        network.send(StoreCall.ADD_MINUTE, () -> {
            store.addMinute(minute);
            return true;
        });
    }

    @Override
    public List<MinuteReport> minutes(Instant since) {
        return network.send(StoreCall.MINUTES, () -> store.minutes(since));
    }

    @Override
    public long missed(Instant since) {
        return network.send(StoreCall.MISSED, () -> store.missed(since));
    }

    @Override
    public void checkedZoneRules(String version) {
        network.send(StoreCall.CHECKED_ZONE_RULES, () -> {
            store.checkedZoneRules(version);
            return true;
        });
    }
}
