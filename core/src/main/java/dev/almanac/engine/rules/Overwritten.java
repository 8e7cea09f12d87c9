package dev.almanac.engine.rules;

import dev.almanac.model.Actor;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FieldChange;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.Requests;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a change of a job's contents overwrites and an operator may miss (rule S11). Pure functions. */
public final class Overwritten {
    private Overwritten() {}

    /**
     * The requests of a job after these changes: a person's are remembered until a declaration or a service replaces them.
     *
     * @param pinning which fields are pinned with it; absent = none
     */
    static Requests noted(
            Requests requests,
            List<FieldChange> changes,
            JobAction.@Nullable Pinning pinning,
            DecisionContext context) {
        List<PersonalChange> before = requests.personal();
        List<String> changed = new ArrayList<>(fields(changes));
        List<String> pinned = pinning == null ? List.of() : Pins.wanted(before, changed, pinning);
        List<PersonalChange> personal =
                new ArrayList<>(PersonalChange.without(PersonalChange.without(before, changed), pinned));
        Actor actor = context.actor();
        changed.removeAll(pinned);
        if (context.personal() && actor != null) {
            personal.addAll(Pins.changed(before, changed, actor, context.now()));
        }
        if (pinning != null && actor != null && !pinned.isEmpty()) {
            personal.add(new PersonalChange(actor, context.now(), pinned, true, pinning.until()));
        }
        return requests.withPersonal(personal);
    }

    /** What the author of the change, or an operator, should look at; absent if there is nothing. */
    public static @Nullable String warning(StoredJob job, JobSpecification given, DecisionContext context) {
        List<String> warnings = new ArrayList<>();
        String undone = undone(job, given);
        if (!context.personal() && !undone.isEmpty()) {
            warnings.add("replaces what persons have changed: " + undone);
        }
        String type = job.command().type();
        if (given.triggerCommand() instanceof EncodedCommand command
                && !command.type().equals(type)) {
            warnings.add("its command was of type " + type + ", and is of type " + command.type());
        }
        return warnings.isEmpty() ? null : String.join("; ", warnings);
    }

    private static String undone(StoredJob job, JobSpecification given) {
        List<String> fields = fields(given.changesSince(job.specification()));
        return job.requests().personal().stream()
                .map(change -> change.of(
                        change.fields().stream().filter(fields::contains).toList()))
                .filter(change -> !change.fields().isEmpty())
                .map(PersonalChange::toString)
                .collect(Collectors.joining("; "));
    }

    private static List<String> fields(List<FieldChange> changes) {
        return changes.stream().map(FieldChange::field).toList();
    }
}
