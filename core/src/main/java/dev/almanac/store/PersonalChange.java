package dev.almanac.store;

import dev.almanac.model.Actor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A change of a job's contents that a person made, as long as no declaration and no service has replaced it (rule S11).
 *
 * @param by who made it, and why
 * @param at when
 * @param fields the fields that still are as this change left them, at least one
 */
public record PersonalChange(Actor by, Instant at, List<String> fields) {
    /** Copies the fields. */
    public PersonalChange {
        fields = List.copyOf(fields);
    }

    /** What is left of earlier changes after a further one of these fields. */
    public static List<PersonalChange> without(List<PersonalChange> changes, List<String> changed) {
        List<PersonalChange> left = new ArrayList<>();
        for (PersonalChange change : changes) {
            List<String> fields = new ArrayList<>(change.fields());
            fields.removeAll(changed);
            if (!fields.isEmpty()) {
                left.add(new PersonalChange(change.by(), change.at(), fields));
            }
        }
        return left;
    }

    @Override
    public String toString() {
        return String.join(", ", fields) + " by " + by + " at " + at;
    }
}
