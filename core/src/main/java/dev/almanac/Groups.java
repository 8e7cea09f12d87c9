package dev.almanac;

import dev.almanac.engine.request.StoredGroups;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.StaleGroupException;
import dev.almanac.store.StoredGroup;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sizes and rates of exclusive groups, which every node applies within a second. A group without stored limits has size
 * 1 and no rate. Thread-safe.
 */
public final class Groups {
    private final StoredGroups groups;
    private final Runnable beforeChange;

    Groups(StoredGroups groups, Runnable beforeChange) {
        this.groups = groups;
        this.beforeChange = beforeChange;
    }

    private StoredGroups changes() {
        beforeChange.run();
        return groups;
    }

    /** The groups with stored limits, by name; at most 1 000. A damaged one is marked. */
    public List<StoredGroup> list() {
        return groups.all();
    }

    /** The stored limits of a group; empty if there are none. */
    public Optional<StoredGroup> get(String name) {
        return list().stream().filter(group -> group.name().equals(name)).findFirst();
    }

    /**
     * Which of these groups differ from what is stored, by name. Writes nothing.
     *
     * @param wanted sizes and rates, by name
     * @throws IllegalArgumentException if not all of them can be stored
     */
    public List<String> changed(Map<String, GroupLimits> wanted) {
        return groups.changed(wanted);
    }

    /**
     * Stores size and rate of a group, replacing those that are stored; equal ones change nothing. When a group becomes
     * smaller, runs in progress continue, and no job is claimed for the removed slots.
     *
     * @param name as jobs name it in {@code exclusiveGroup}, 1 to 256 characters
     * @return the group as it is stored
     * @throws IllegalArgumentException if the name is not allowed, or 1 000 groups are stored
     */
    public StoredGroup put(String name, GroupLimits limits) {
        return changes().put(name, limits, null);
    }

    /**
     * As {@link #put(String, GroupLimits)}, if this version is stored; 0 = if nothing is.
     *
     * @throws StaleGroupException if another one is
     */
    public StoredGroup put(String name, GroupLimits limits, long version) {
        return changes().put(name, limits, version);
    }

    /** Removes size and rate: one job of the group runs at a time from then on. False if none are stored. */
    public boolean remove(String name) {
        return changes().remove(name, null);
    }

    /**
     * As {@link #remove(String)}, if this version is stored.
     *
     * @throws StaleGroupException if another one is
     */
    public boolean remove(String name, long version) {
        return changes().remove(name, version);
    }
}
