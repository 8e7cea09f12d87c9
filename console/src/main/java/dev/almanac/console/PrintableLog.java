package dev.almanac.console;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;
import dev.almanac.text.Printable;
import dev.almanac.text.Redaction;

/** The conversion word {@code %printable} of log patterns: escapes its argument and removes credentials. */
public final class PrintableLog extends CompositeConverter<ILoggingEvent> {
    /** Made by Logback. */
    public PrintableLog() {}

    @Override
    protected String transform(ILoggingEvent event, String line) {
        return Printable.lines(Redaction.withoutCredentials(line));
    }
}
