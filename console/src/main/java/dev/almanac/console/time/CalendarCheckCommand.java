package dev.almanac.console.time;

import dev.almanac.console.terminal.Json;
import dev.almanac.time.ExclusionCalendar;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code almanac calendars check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description =
                "Whether a calendar includes an instant, and the next instant that it includes. Needs no database.")
public final class CalendarCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "KIND",
            description = "such as Weekly, or Weekly+Daily; or TARGET2 or WEEKENDS, without parameters")
    private @Nullable String kind;

    @Parameters(index = "1", arity = "0..1", paramLabel = "PARAMETERS", description = "such as days=1,7")
    private @Nullable String parameters;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "INSTANT",
            description = "such as 2026-03-10T05:00:00Z, 2026-03-10T05:00 or 2026-03-10 in the zone, or 15m from now")
    private @Nullable String instant;

    @Option(names = "--zone", defaultValue = "UTC", description = "the job's zone (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Option(names = "--json", description = "answer with one line of JSON")
    private boolean json;

    @Option(names = "--batch", description = "read tab-separated lines: kind, parameters, zone, instant")
    private boolean batch;

    /** Made by the command line. */
    public CalendarCheckCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (batch) {
            return Batch.run(out, CalendarCheckCommand::answer);
        }
        takeName();
        if (kind == null || parameters == null || instant == null) {
            throw new ParameterException(spec.commandLine(), "kind, parameters and instant are expected");
        }
        ExclusionCalendar calendar = TimeArguments.calendar(kind, parameters);
        ZoneId jobZone = TimeArguments.zone(zone);
        Instant at = TimeArguments.instant("instant", instant, jobZone);
        boolean included = calendar.isIncluded(at, jobZone);
        String next = next(calendar, at, jobZone);
        if (json) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("included", included);
            answer.put("nextIncluded", next);
            out.println(Json.text(answer));
        } else {
            out.println(included ? "included" : "excluded; next included: " + next);
        }
        return 0;
    }

    /** A named calendar has no parameters, so the next argument is the instant. */
    private void takeName() {
        if (kind != null && instant == null && TimeArguments.named(kind) != null) {
            instant = parameters;
            parameters = "";
        }
    }

    static String answer(String[] fields) {
        try {
            if (fields.length < 4) {
                throw new InvalidFieldException("line", 1, "kind, parameters, zone and instant are expected");
            }
            ExclusionCalendar calendar = TimeArguments.calendar(fields[0], fields[1]);
            ZoneId zone = TimeArguments.zone(fields[2]);
            Instant at = TimeArguments.instant("instant", fields[3], zone);
            return calendar.isIncluded(at, zone) + "\t" + next(calendar, at, zone);
        } catch (InvalidFieldException e) {
            return e.line();
        }
    }

    private static String next(ExclusionCalendar calendar, Instant at, ZoneId zone) {
        return calendar.nextIncluded(at, zone).map(Instant::toString).orElse("none");
    }
}
