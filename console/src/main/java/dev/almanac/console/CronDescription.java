package dev.almanac.console;

import dev.almanac.time.CronExpression;
import dev.almanac.time.Schedule;
import dev.almanac.web.text.ScheduleWords;

/** A schedule in words: of a cron expression those of the web console. */
final class CronDescription {
    private CronDescription() {}

    static String of(Schedule schedule) {
        if (!schedule.canFire()) {
            return schedule + " " + Schedule.NEVER_FIRES;
        }
        return switch (schedule.dialect()) {
            case QUARTZ, UNIX, SPRING -> {
                String words = ScheduleWords.ofCron((CronExpression) schedule);
                yield words == null ? schedule + " (valid; there are no words for it)" : words;
            }
            case EVERY ->
                "every " + schedule + ", counted from the moment at which the job is stored or from its startAt";
            case EVERY_AFTER_END -> schedule + " after the end of each run";
            case RRULE -> schedule.toString();
        };
    }
}
