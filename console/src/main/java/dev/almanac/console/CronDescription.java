package dev.almanac.console;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import dev.almanac.time.CronDialect;
import dev.almanac.time.Schedule;
import dev.almanac.web.text.CronDays;
import dev.almanac.web.text.ScheduleWords;
import java.util.List;
import java.util.Locale;

/** A schedule in words: those of the web console, or for other times those of cron-utils, which is used for nothing else. */
final class CronDescription {
    private CronDescription() {}

    static String of(Schedule schedule) {
        return switch (schedule.dialect()) {
            case QUARTZ, UNIX, SPRING -> {
                String words = ScheduleWords.ofCron(schedule.toString(), schedule.dialect());
                yield words == null ? cron(schedule) : words;
            }
            case EVERY ->
                "every " + schedule + ", counted from the moment at which the job is stored or from its startAt";
            case EVERY_AFTER_END -> schedule + " after the end of each run";
            case RRULE -> schedule.toString();
        };
    }

    private static String cron(Schedule cron) {
        List<String> fields = List.of(cron.toString().split(" "));
        int date = cron.dialect() == CronDialect.UNIX ? 2 : 3;
        boolean years = fields.size() == 7 && !fields.get(6).equals("*");
        String days =
                years ? null : CronDays.words(fields.subList(date, date + 3), cron.dialect() == CronDialect.SPRING);
        if (days == null) {
            return byLibrary(cron.dialect(), cron.toString());
        }
        List<String> times = fields.subList(0, date);
        String any = String.join(" ", times) + (cron.dialect() == CronDialect.QUARTZ ? " * * ?" : " * * *");
        return byLibrary(cron.dialect(), any) + (days.equals("every day") ? "" : " " + days);
    }

    private static String byLibrary(CronDialect dialect, String cron) {
        CronType type = switch (dialect) {
            case QUARTZ -> CronType.QUARTZ;
            case SPRING -> CronType.SPRING53;
            default -> CronType.UNIX;
        };
        try {
            return CronDescriptor.instance(Locale.ENGLISH)
                    .describe(new CronParser(CronDefinitionBuilder.instanceDefinitionFor(type)).parse(cron));
        } catch (IllegalArgumentException notUnderstood) {
            return cron + " (valid; there are no words for it)";
        }
    }
}
