package dev.almanac.console.time;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import java.util.Locale;

/** An expression in words, by cron-utils, which is used for nothing else. */
final class CronDescription {
    private CronDescription() {}

    static String of(CronExpression cron) {
        CronType type = cron.dialect() == CronDialect.QUARTZ ? CronType.QUARTZ : CronType.UNIX;
        try {
            return CronDescriptor.instance(Locale.ENGLISH)
                    .describe(new CronParser(CronDefinitionBuilder.instanceDefinitionFor(type)).parse(cron.toString()));
        } catch (IllegalArgumentException notUnderstood) {
            return cron + " (valid; there are no words for it)";
        }
    }
}
