package dev.almanac.console;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import dev.almanac.time.CronDialect;
import dev.almanac.time.Schedule;
import dev.almanac.web.text.CronDays;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A schedule in words; times that repeat by cron-utils, which is used for nothing else. */
final class CronDescription {
    private CronDescription() {}

    static String of(Schedule schedule) {
        return switch (schedule.dialect()) {
            case QUARTZ, UNIX, SPRING -> cron(schedule);
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
        boolean once = times.stream().allMatch(field -> field.matches("[0-9]+"));
        String any = String.join(" ", times) + (cron.dialect() == CronDialect.QUARTZ ? " * * ?" : " * * *");
        return (once ? time(times) : byLibrary(cron.dialect(), any))
                + (once || !days.equals("every day") ? " " + days : "");
    }

    private static String time(List<String> fields) {
        List<String> parts = new ArrayList<>(fields);
        Collections.reverse(parts);
        boolean whole = parts.size() == 3 && parts.get(2).equals("0");
        return parts.subList(0, whole ? 2 : parts.size()).stream()
                .map(part -> part.length() == 1 ? "0" + part : part)
                .collect(Collectors.joining(":", "at ", ""));
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
