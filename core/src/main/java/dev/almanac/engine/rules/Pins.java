package dev.almanac.engine.rules;

import dev.almanac.model.Actor;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pin;
import dev.almanac.model.StoredFields;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which fields declarations leave alone (rule S26). Pure functions. */
public final class Pins {
    /** Fields that mean something only together: who pins one pins all. */
    private static final List<Set<String>> TOGETHER = List.of(
            Set.of(
                    "schedulingSpecification",
                    "cronDialect",
                    "firstFire",
                    "now",
                    "singleSchedule",
                    "singleScheduleLocal"),
            Set.of("failureCommand", "failureIdentifier"));

    private Pins() {}

    /** What is declared, with the pinned fields as they are stored. */
    public static JobSpecification kept(StoredJob job, JobSpecification declared, Instant now) {
        Set<String> pinned = new TreeSet<>();
        PersonalChange.pins(job.requests().personal(), now).forEach(pin -> pinned.addAll(pin.fields()));
        for (Set<String> whole : TOGETHER) {
            if (whole.stream().anyMatch(pinned::contains)) {
                pinned.addAll(whole);
            }
        }
        return pinned.isEmpty()
                ? declared
                : StoredFields.of(declared).take(pinned, job.specification()).build();
    }

    /** What an update pins: what it changes, and what it names unless that is pinned alike already; in order. */
    static List<String> wanted(List<PersonalChange> changes, List<String> changed, JobAction.Pinning pinning) {
        Set<String> wanted = new TreeSet<>(pinning.fields());
        changes.stream()
                .filter(change -> change.pinned() && Objects.equals(change.until(), pinning.until()))
                .forEach(change -> wanted.removeAll(change.fields()));
        wanted.addAll(changed);
        return List.copyOf(wanted);
    }

    /** A person's change of these fields; what was pinned stays so. */
    static List<PersonalChange> changed(List<PersonalChange> before, List<String> fields, Actor by, Instant now) {
        List<PersonalChange> changes = new ArrayList<>();
        List<String> rest = new ArrayList<>(fields);
        before.stream().filter(change -> change.isPinnedAt(now)).forEach(change -> {
            List<String> pinned =
                    rest.stream().filter(change.fields()::contains).toList();
            add(changes, new PersonalChange(by, now, pinned, true, change.until()));
            rest.removeAll(pinned);
        });
        add(changes, new PersonalChange(by, now, rest));
        return changes;
    }

    private static void add(List<PersonalChange> changes, PersonalChange change) {
        if (!change.fields().isEmpty()) {
            changes.add(change);
        }
    }

    /** What a change has pinned, in words; absent = nothing. */
    public static @Nullable String pinned(List<PersonalChange> before, List<PersonalChange> after) {
        String pins = after.stream()
                .filter(change -> change.pinned() && !before.contains(change))
                .map(change ->
                        String.join(", ", change.fields()) + (change.until() == null ? "" : " until " + change.until()))
                .collect(Collectors.joining("; "));
        return pins.isEmpty() ? null : "pinned: " + pins;
    }

    /** The same changes without pins; the fields keep their values. */
    static List<PersonalChange> ended(List<PersonalChange> changes) {
        return changes.stream()
                .map(change -> new PersonalChange(change.by(), change.at(), change.fields()))
                .toList();
    }

    /** The fields of these pins. */
    static String names(List<Pin> pins) {
        return pins.stream().flatMap(pin -> pin.fields().stream()).collect(Collectors.joining(", "));
    }
}
