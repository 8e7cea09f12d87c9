package dev.almanac.console.terminal;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;
import dev.almanac.text.Printable;
import dev.almanac.text.Redaction;

/** The word {@code %printable} of the pattern of logs: what stands in its brackets is escaped, without credentials. */
public final class PrintableLog extends CompositeConverter<ILoggingEvent> {
    /** Made by Logback. */
    public PrintableLog() {}

    @Override
    protected String transform(ILoggingEvent event, String line) {
        return Printable.lines(Redaction.withoutCredentials(line));
    }
}
