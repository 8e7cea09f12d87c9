package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Actor;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.StaleGroupException;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.StoredGroup;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads, edits and removes the sizes and rates of exclusive groups. Thread-safe. */
public final class StoredGroups {
    private static final int MOST_TRIES = 20;
    private static final int MOST_GROUPS = 1_000;
    /** With tombstones; each node reads them all with each look. */
    private static final int MOST_DOCUMENTS = 2 * MOST_GROUPS;

    private static final int LONGEST_NAME = 256;

    private final Node node;
    private final Actor actor;
    private final Runnable changed;

    /** @param changed makes this node read pauses and groups again */
    public StoredGroups(Node node, Actor actor, Runnable changed) {
        this.node = node;
        this.actor = actor;
        this.changed = changed;
    }

    /** By name. */
    public List<StoredGroup> all() {
        return node.store().cluster().control().groups().values().stream()
                .filter(group -> !group.deleted())
                .sorted(Comparator.comparing(StoredGroup::name))
                .toList();
    }

    /**
     * Which of these groups a {@link #put} of them all would change, by name; nothing is written.
     *
     * @throws IllegalArgumentException if not all of them can be stored
     */
    public List<String> changed(Map<String, GroupLimits> wanted) {
        wanted.keySet().forEach(StoredGroups::refuse);
        ClusterControl control = node.store().cluster().control();
        List<String> changed = wanted.keySet().stream()
                .filter(name -> !isStored(control.group(name), wanted.get(name)))
                .sorted()
                .toList();
        List<String> added =
                changed.stream().filter(name -> !isLive(control.group(name))).toList();
        if (!added.isEmpty()) {
            refuseBeyondLimits(added.get(added.size() - 1), added.size());
        }
        return changed;
    }

    private static boolean isStored(StoredGroup there, GroupLimits limits) {
        return isLive(there) && there.damage() == null && there.limits().equals(limits);
    }

    /**
     * Stores limits, or their next version; equal ones change nothing, with any expected version.
     *
     * @param expected the stored version, 0 = none; absent = any
     */
    public StoredGroup put(String name, GroupLimits limits, @Nullable Long expected) {
        refuse(name);
        for (int i = 0; i < MOST_TRIES; i++) {
            StoredGroup there = node.store().cluster().control().group(name);
            if (isStored(there, limits)) {
                return there;
            }
            requireExpected(there, expected);
            if (!isLive(there)) {
                refuseBeyondLimits(name, 1);
            }
            StoredGroup next = new StoredGroup(
                    name, there.version() + 1, limits, node.clock().now(), actor.toString());
            if (node.store().cluster().putGroup(next)) {
                report(name, "given " + limits);
                return next.with(there.use());
            }
        }
        throw othersWereFaster(name);
    }

    private void refuseBeyondLimits(String name, int added) {
        if (all().size() + added > MOST_GROUPS) {
            throw new IllegalArgumentException(
                    "group '" + name + "' was not stored: there are " + MOST_GROUPS + " groups, and no more are kept");
        }
        // the write of this one removes tombstones that are older
        Instant oldest = node.clock().now().minus(StoredGroup.REMEMBERED);
        long documents = node.store().cluster().control().groups().values().stream()
                .filter(group -> !group.deleted() || !group.latestUpdate().isBefore(oldest))
                .count();
        if (documents + added > MOST_DOCUMENTS) {
            throw new IllegalArgumentException("group '" + name + "' was not stored: " + documents
                    + " groups are kept, with those that were removed within the last "
                    + StoredGroup.REMEMBERED.toDays() + " days, the maximum");
        }
    }

    /** Removes the limits, so that the group has size 1; false if none are stored. */
    public boolean remove(String name, @Nullable Long version) {
        Long expected = version;
        for (int i = 0; i < MOST_TRIES; i++) {
            StoredGroup there = node.store().cluster().control().group(name);
            requireExpected(there, expected);
            if (!isLive(there)) {
                return false;
            }
            if (there.damage() != null) {
                // a damaged document is replaced first, so that its versions rise again
                long replaced = put(name, GroupLimits.ONE, expected).version();
                expected = expected == null ? null : Long.valueOf(replaced);
            } else if (node.store()
                    .cluster()
                    .putGroup(there.tombstone(node.clock().now(), actor.toString()))) {
                report(name, "removed, so that one of its jobs runs at a time");
                return true;
            }
        }
        throw othersWereFaster(name);
    }

    private static void requireExpected(StoredGroup there, @Nullable Long expected) {
        long version = there.deleted() ? 0 : there.version();
        if (expected != null && expected != version) {
            throw new StaleGroupException(there.name(), expected, version);
        }
    }

    private static boolean isLive(StoredGroup group) {
        return !group.deleted() && (group.version() > 0 || group.damage() != null);
    }

    private static void refuse(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name of a group has 1 to " + LONGEST_NAME
                    + " characters and no control characters; this one has " + name.length());
        }
    }

    private static IllegalStateException othersWereFaster(String name) {
        return new IllegalStateException("group '" + name + "' was edited by others " + MOST_TRIES
                + " times while this edit was tried; nothing was written");
    }

    private void report(String name, String what) {
        node.events().emit(new SchedulerEvent.GroupChanged(name, what, actor));
        changed.run();
    }
}
