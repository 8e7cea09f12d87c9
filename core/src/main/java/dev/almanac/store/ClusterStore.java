package dev.almanac.store;

import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores what the nodes of a cluster share besides the jobs: reports of nodes, pauses of kinds of jobs, and calendars.
 * All of it is small, and read whole. Thread-safe; writes are durable (majority) when they return; all times are given
 * by the caller. A method that throws {@link StoreException} leaves open whether its write was applied; the caller may
 * repeat the same call.
 */
public interface ClusterStore {
    /** A turn that is stored with a later end is damaged, or of a clock that was ahead: it counts as over. */
    Duration LONGEST_TURN = Duration.ofHours(1);

    /**
     * Reports a node and reads the others, those seen since {@code liveSince} (this one included) that have not
     * stopped. Used for preferences and for people only; correctness does not depend on it.
     */
    List<NodeReport> report(NodeReport node, Instant liveSince);

    /**
     * The nodes that have reported since {@code seenSince}, in the order of their starts; reports none. Nodes that were
     * silent for an hour may be missing.
     */
    List<NodeReport> nodes(Instant seenSince);

    /** How many jobs are live, for people and metrics, not for decisions; counting, by an index, ends at the limit. */
    long liveJobs(int limit);

    /** How many jobs, live or ended, have failed fires in a row (rule S19); counting ends at the limit. */
    long openFailures(int limit);

    /** Pauses, groups and edits; one majority read. */
    ClusterControl control();

    /**
     * Stores a pause: atomic, and only if what is stored of the same scope and beginning is what the caller has seen. Pauses that had
     * ended by themselves a day before its {@code since} are removed.
     *
     * @param replaced {@code since} of the pause in whose place it comes; absent = there is none
     * @return false if another pause is stored, or none; nothing was written. Also after a lost reply
     */
    boolean pause(StandingPause pause, @Nullable Instant replaced);

    /**
     * Removes a pause; false if there is none, as after a repetition whose first reply was lost.
     *
     * @param from the beginning of a planned pause; absent = the one that began at once
     * @param since of the pause that is meant, whose place another one may have taken; absent = the one that is stored
     */
    boolean resume(PauseScope scope, @Nullable Instant from, @Nullable Instant since);

    /** The stored calendars, by name, including tombstones of deleted ones; majority-read. */
    List<StoredCalendar> calendars();

    /**
     * Stores the next version of a calendar, or its tombstone. Atomic, and only if the stored one has the version before, or if
     * none with a version is stored: at first, or after a person has removed it. If another edit was first, the answer is false
     * and no calendar is written. After a lost reply a repetition answers false; reading again shows whose version it is. Each
     * call, refused ones included, changes {@link ClusterControl#calendarEdits}: an earlier one may have stored the calendar and
     * died before it did. The version that is replaced is kept; a replacement that can be read never lacks it.
     */
    boolean putCalendar(StoredCalendar calendar);

    /**
     * Replaced versions of the calendars of these names, tombstones included, in any order; majority-read. Each is kept for
     * {@link StoredCalendar#KEPT} from its replacement, of a name at most the newest {@link StoredCalendar#MOST_KEPT}; one is
     * missing if an older release, or a person in the database, replaced it. A copy is stored before its version is replaced,
     * so read {@link #calendars} first, and ignore versions that are not older than the one read there.
     */
    List<StoredCalendar> calendarVersions(Collection<String> names);

    /** Counts a request to interrupt a run; after a lost reply it may have been counted. */
    void requestInterrupt();

    /**
     * Stores the next version of an exclusive group: atomic, and only if the stored one has the version before ({@code
     * version} 1: if there is none). The claims that were counted stay. If another was first, the answer is false and
     * nothing is written. After a lost reply a repetition answers false; reading again shows whose version it is. One that
     * is damaged, with or without a version, is replaced by version 1. Tombstones that are older than {@link
     * StoredGroup#REMEMBERED} before its {@code latestUpdate} are removed.
     */
    boolean putGroup(StoredGroup group);

    /**
     * Counts claims against the rate of a group: atomic, and only if the group has the version and the number of {@code
     * seen} still. If the reply is lost, they may have been counted; the caller does not use them.
     */
    boolean countClaims(StoredGroup seen, RateUse next);

    /** Removes at most {@code limit} expired documents; needed only if the server does not do it. */
    long purge(Instant now, int limit);

    /**
     * Takes or keeps the turn at a task that one node at a time carries out, unless another node has the turn now. This
     * only saves work: correctness does not depend on it. After a lost reply the node may have the turn without knowing
     * it.
     *
     * @param name of the task
     * @param node identity of the node
     * @param until how long it has the turn unless it takes it again; at most {@link #LONGEST_TURN} after {@code now}
     * @param place the position that was reached; absent = as stored
     * @return the stored place, empty text if there is none; absent if another node has the turn
     */
    @Nullable
    String takeTurn(String name, String node, Instant now, Instant until, @Nullable String place);

    /** What an application has declared last, which is certain (rule P11). */
    DeclaredJobs declared(String applicationTag);

    /**
     * Replaces what an application has declared, unless it was replaced since it was read.
     *
     * @param next the version that was read plus 1
     * @return false if another version is stored; nothing was changed
     */
    boolean declare(String applicationTag, DeclaredJobs next);

    /** Stores what a node has run within a minute; a repetition of the same changes nothing. Kept for 7 days. */
    void addMinute(MinuteReport minute);

    /** What nodes have run in minutes that began at or after this one; at most 100 000 of them, the oldest first. */
    List<MinuteReport> minutes(Instant since);

    /** How many planned fires passed without a run in these minutes. */
    default long missed(Instant since) {
        return minutes(since).stream().mapToLong(MinuteReport::missed).sum();
    }

    /** Notes that all plans were made by this version of time zone rules, or by newer ones (rule T6). The last call wins. */
    void checkedZoneRules(String version);

    /**
     * Opens a stream of hints: jobs of these types have become due within a second, because they were stored or because a
     * user changed them. Changes before the call are not reported; other jobs may be. Correctness does not depend on it. It
     * uses one connection while it is read.
     *
     * @param types command types, by name
     * @throws StoreException if the store has no such stream, or the server does not answer
     */
    JobWatch watch(Set<String> types);
}
