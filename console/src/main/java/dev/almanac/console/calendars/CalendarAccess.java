package dev.almanac.console.calendars;

import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.terminal.CommandFailedException;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Nearest;
import dev.almanac.console.terminal.NotFoundException;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.Problem;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.StoredCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The stored calendars of a database. */
final class CalendarAccess {
    private final Scheduler scheduler;
    private final List<StoredCalendar> calendars;

    private CalendarAccess(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.calendars = scheduler.calendars().list();
    }

    static CalendarAccess in(StoreAccess access) {
        return new CalendarAccess(access.scheduler());
    }

    /** For commands that change them. */
    static CalendarAccess in(StoreAccess access, ActorOptions actor) {
        return new CalendarAccess(actor.sign(access.scheduler()));
    }

    List<StoredCalendar> all() {
        return calendars;
    }

    Optional<StoredCalendar> find(String name) {
        return calendars.stream()
                .filter(calendar -> calendar.name().equals(name))
                .findFirst();
    }

    /** @throws NotFoundException if there is none; suggests similar names */
    StoredCalendar get(String name) {
        return find(name).orElseThrow(() -> unknown(name));
    }

    private NotFoundException unknown(String name) {
        List<String> names = calendars.stream().map(StoredCalendar::name).toList();
        return new NotFoundException("no calendar '" + name + "' is stored"
                + Nearest.word(name, names)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(names.isEmpty() ? "; there are none" : "; stored are " + String.join(", ", names)));
    }

    /** @throws InvalidInputException if it cannot be edited here; nothing was written */
    CalendarEdit put(String name, CalendarDefinition definition) {
        List<Problem> problems = scheduler.calendars().check(name, definition.toMap());
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    "calendar '" + name + "' " + problems.get(0).advice());
        }
        return scheduler.calendars().put(name, definition.toMap());
    }

    void delete(String name) {
        get(name);
        try {
            scheduler.calendars().delete(name);
        } catch (IllegalStateException used) {
            throw new CommandFailedException(String.valueOf(used.getMessage()), used);
        }
    }

    static Map<String, Object> answer(StoredCalendar calendar) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", calendar.name());
        answer.put("version", calendar.version());
        answer.put("latestUpdate", calendar.latestUpdate().toString());
        if (!calendar.author().isEmpty()) {
            answer.put("author", calendar.author());
        }
        answer.put("definition", new TreeMap<>(calendar.definition()));
        return answer;
    }

    private static Map<String, Object> answer(CalendarEdit edit, boolean changed) {
        ReplanResult jobs = edit.jobs();
        Map<String, Object> answer = answer(edit.calendar());
        answer.put("changed", changed);
        answer.put("jobs", answer(jobs));
        return answer;
    }

    static Map<String, Object> answer(ReplanResult jobs) {
        return new TreeMap<>(Map.of(
                "looked", jobs.looked(),
                "moved", jobs.moved(),
                "blocked", jobs.blocked(),
                "complete", jobs.complete()));
    }

    static void print(Output out, CalendarEdit edit, boolean changed) {
        ReplanResult jobs = edit.jobs();
        if (out.isJson()) {
            out.json(answer(edit, changed));
            return;
        }
        String name = edit.calendar().name();
        out.line(
                changed
                        ? name + " is version " + edit.calendar().version() + " now; of the " + jobs.looked()
                                + " jobs that use it, " + jobs.moved() + " have another next fire"
                        : name + " is stored already, nothing was changed");
        printRest(out, jobs);
    }

    static void printRest(Output out, ReplanResult jobs) {
        if (!jobs.complete()) {
            out.line("not all of its jobs were planned again within 10 s; live nodes plan the others");
        }
        if (jobs.blocked() > 0) {
            out.line(jobs.blocked() + " jobs have no fire left and are blocked: almanac jobs list shows them");
        }
    }
}
