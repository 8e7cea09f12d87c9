package dev.almanac.console.time;

import dev.almanac.calendars.BusinessDayConvention;
import dev.almanac.calendars.BusinessDays;
import dev.almanac.calendars.DayCalendar;
import dev.almanac.console.terminal.Json;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code almanac business-days}. */
@Command(
        name = "business-days",
        mixinStandardHelpOptions = true,
        description = "Shows to which business day a convention moves a date.")
public final class BusinessDaysCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            description = "NONE, FOLLOWING, PRECEDING, MODIFIED_FOLLOWING," + " MODIFIED_PRECEDING")
    private @Nullable String convention;

    @Parameters(index = "1", arity = "0..1", description = "TARGET2 or WEEKENDS")
    private @Nullable String calendar;

    @Parameters(index = "2", arity = "0..1", description = "such as 2026-05-01")
    private @Nullable String date;

    @Option(names = "--json", description = "answer as JSON")
    private boolean json;

    @Option(names = "--batch", description = "read tab-separated lines: convention, calendar, date")
    private boolean batch;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (batch) {
            return Batch.run(out, BusinessDaysCommand::answer);
        }
        if (convention == null || calendar == null || date == null) {
            throw new ParameterException(spec.commandLine(), "convention, calendar and date are expected");
        }
        String answer = adjusted(convention, calendar, date);
        out.println(json ? Json.text(Map.of("date", answer)) : answer);
        return 0;
    }

    static String answer(String[] fields) {
        try {
            if (fields.length < 3) {
                throw new InvalidFieldException("line", 1, "convention, calendar and date are expected");
            }
            return adjusted(fields[0], fields[1], fields[2]);
        } catch (InvalidFieldException e) {
            return e.line();
        }
    }

    private static String adjusted(String convention, String calendar, String date) {
        BusinessDayConvention parsed = TimeArguments.word("convention", BusinessDayConvention.class, convention);
        LocalDate from = date(date.strip());
        return TimeArguments.field("calendar", () -> BusinessDays.adjust(from, parsed, days(calendar)))
                .toString();
    }

    private static LocalDate date(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeException e) {
            throw new InvalidFieldException("date", 1, "'" + text + "' is no date; write 2026-05-01");
        }
    }

    private static DayCalendar days(String name) {
        DayCalendar named = TimeArguments.named(name);
        if (named == null) {
            throw new InvalidFieldException("calendar", 1, "'" + name + "' is not known; TARGET2 or WEEKENDS");
        }
        return named;
    }
}
