package dev.almanac.store;

import dev.almanac.model.Actor;
import dev.almanac.model.Pin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a job's contents that a person made, as long as no declaration and no service has replaced it (rule S11).
 *
 * @param by who made it, and why
 * @param at when
 * @param fields the fields that still are as this change left them, at least one
 * @param pinned whether declarations leave the fields alone (rule S26)
 * @param until when that ends by itself; absent = never
 */
public record PersonalChange(
        Actor by,
        Instant at,
        List<String> fields,
        boolean pinned,
        @Nullable Instant until) {
    /** Copies the fields. */
    public PersonalChange {
        fields = List.copyOf(fields);
    }

    /** One that is not pinned. */
    public PersonalChange(Actor by, Instant at, List<String> fields) {
        this(by, at, fields, false, null);
    }

    /** Whether declarations leave the fields alone. */
    public boolean isPinnedAt(Instant now) {
        return pinned && (until == null || now.isBefore(until));
    }

    /** The same change of other fields. */
    public PersonalChange of(List<String> others) {
        return new PersonalChange(by, at, others, pinned, until);
    }

    /** What is left of earlier changes after a further one of these fields. */
    public static List<PersonalChange> without(List<PersonalChange> changes, List<String> changed) {
        List<PersonalChange> left = new ArrayList<>();
        for (PersonalChange change : changes) {
            List<String> fields = new ArrayList<>(change.fields());
            fields.removeAll(changed);
            if (!fields.isEmpty()) {
                left.add(change.of(fields));
            }
        }
        return left;
    }

    /** The pins that are in force. */
    public static List<Pin> pins(List<PersonalChange> changes, Instant now) {
        return changes.stream()
                .filter(change -> change.isPinnedAt(now))
                .map(change -> new Pin(change.fields(), change.by(), change.at(), change.until()))
                .toList();
    }

    @Override
    public String toString() {
        return String.join(", ", fields) + " by " + by + " at " + at;
    }
}
