package dev.almanac.console;

import dev.almanac.calendars.BusinessDayConvention;
import dev.almanac.calendars.BusinessDays;
import dev.almanac.calendars.DayCalendar;
import dev.almanac.web.json.Fields;
import java.time.LocalDate;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code almanac business-days}. */
@Command(name = "business-days", description = "Shows to which business day a convention moves a date.")
final class BusinessDaysCommand implements Callable<Integer> {
    static final TimeQuestion QUESTION =
            new TimeQuestion("convention, calendar and date are expected", 3, BusinessDaysCommand::adjusted);

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", description = "NONE, FOLLOWING, PRECEDING, MODIFIED_FOLLOWING," + " MODIFIED_PRECEDING")
    private @Nullable String convention;

    @Parameters(arity = "0..1", description = "TARGET2 or WEEKENDS")
    private @Nullable String calendar;

    @Parameters(arity = "0..1", description = "such as 2026-05-01")
    private @Nullable String date;

    @Option(names = "--json", description = "answer as JSON")
    private boolean json;

    @Option(names = "--batch", description = "read tab-separated lines: convention, calendar, date")
    private boolean batch;

    @Override
    public Integer call() {
        return batch ? QUESTION.batch(spec) : QUESTION.ask(spec, json, convention, calendar, date);
    }

    private static TimeQuestion.Answer adjusted(String[] fields) {
        BusinessDayConvention convention = TimeArguments.word("convention", BusinessDayConvention.class, fields[0]);
        LocalDate from = TimeArguments.quoted("date", fields[2], Times::date);
        DayCalendar days = TimeArguments.named(fields[1]);
        if (days == null) {
            throw new InvalidFieldException("calendar", 1, "'" + fields[1] + "' is not known; TARGET2 or WEEKENDS");
        }
        String date = TimeArguments.field("calendar", () -> BusinessDays.adjust(from, convention, days))
                .toString();
        return new TimeQuestion.Answer(date, new Fields().with("date", date), date);
    }
}
