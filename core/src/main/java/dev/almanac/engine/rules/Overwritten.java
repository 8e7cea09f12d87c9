package dev.almanac.engine.rules;

import dev.almanac.model.EncodedCommand;
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

    /** The requests of a job after these changes: a person's are remembered until a declaration or a service replaces them. */
    static Requests noted(Requests requests, List<String> changes, DecisionContext context) {
        List<String> fields = fields(changes);
        List<PersonalChange> personal = new ArrayList<>(PersonalChange.without(requests.personal(), fields));
        if (context.personal() && context.actor() != null && !fields.isEmpty()) {
            personal.add(new PersonalChange(context.actor(), context.now(), fields));
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

    private static List<String> fields(List<String> changes) {
        return changes.stream()
                .map(change -> change.substring(0, change.indexOf(':')))
                .toList();
    }
}
