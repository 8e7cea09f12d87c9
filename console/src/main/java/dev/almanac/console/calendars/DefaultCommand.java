package dev.almanac.console.calendars;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.ReplanResult;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac calendars default}. */
@Command(
        name = "default",
        mixinStandardHelpOptions = true,
        description = "Shows the default calendar of recurring jobs, or puts another one for all of them.")
final class DefaultCommand extends StoreCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "a stored calendar")
    private @Nullable String name;

    @Option(names = "--none", description = "recurring jobs have no default calendar any more")
    private boolean none;

    @Mixin
    private ActorOptions actor;

    @Override
    protected void check() {
        super.check();
        if (none && name != null) {
            throw new InvalidInputException("--none and the name '" + name + "' exclude each other");
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        ReplanResult jobs = null;
        if (none || name != null) {
            jobs = put(access, scheduler);
        }
        print(out, scheduler.calendars().getDefault().orElse(null), jobs);
        return 0;
    }

    private ReplanResult put(StoreAccess access, Scheduler scheduler) {
        if (name != null) {
            CalendarAccess.in(access).get(name);
        }
        return scheduler.calendars().putDefault(name);
    }

    private static void print(Output out, @Nullable String calendar, @Nullable ReplanResult jobs) {
        if (out.isJson()) {
            Map<String, @Nullable Object> answer = new LinkedHashMap<>();
            answer.put("defaultCalendar", calendar);
            if (jobs != null) {
                answer.put("jobs", CalendarAccess.answer(jobs));
            }
            out.json(answer);
            return;
        }
        out.line(
                calendar == null
                        ? "recurring jobs have no default calendar"
                        : calendar + " is the default calendar of recurring jobs");
        if (jobs != null) {
            out.line("of " + jobs.looked() + " live jobs, " + jobs.moved() + " have another next fire");
            CalendarAccess.printRest(out, jobs);
        }
    }
}
