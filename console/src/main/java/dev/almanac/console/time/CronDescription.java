package dev.almanac.console.time;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import dev.almanac.time.CronDialect;
import dev.almanac.time.Schedule;
import java.util.Locale;

/** A schedule in words; those of cron by cron-utils, which is used for nothing else. */
final class CronDescription {
    private CronDescription() {}

    static String of(Schedule schedule) {
        return switch (schedule.dialect()) {
            case QUARTZ, UNIX -> cron(schedule);
            case EVERY ->
                "every " + schedule + ", counted from the moment at which the job is stored or from its startAt";
            case EVERY_AFTER_END -> schedule + " after the end of each run";
            case RRULE -> schedule.toString();
        };
    }

    private static String cron(Schedule cron) {
        CronType type = cron.dialect() == CronDialect.QUARTZ ? CronType.QUARTZ : CronType.UNIX;
        try {
            return CronDescriptor.instance(Locale.ENGLISH)
                    .describe(new CronParser(CronDefinitionBuilder.instanceDefinitionFor(type)).parse(cron.toString()));
        } catch (IllegalArgumentException notUnderstood) {
            return cron + " (valid; there are no words for it)";
        }
    }
}
