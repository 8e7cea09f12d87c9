package dev.almanac.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.almanac.text.Printable;
import dev.almanac.text.Redaction;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The log of the command line, on standard error. Set by code: reading a file of settings takes as long as a whole command.
 * A file that {@code logback.configurationFile} names prevails.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    /** Made by Logback. */
    public Logging() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        Line line = new Line();
        line.start();
        encoder.setLayout(line);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setName("STDERR");
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.getLogger("dev.almanac").setLevel(Level.toLevel(System.getenv("ALMANAC_LOG"), Level.INFO));
        // what the driver has to say is said by the commands, without the state of the cluster
        context.getLogger("org.mongodb").setLevel(Level.ERROR);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** An event as text without control characters and credentials. */
    static final class Line extends LayoutBase<ILoggingEvent> {
        private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

        @Override
        public String doLayout(ILoggingEvent event) {
            String logger = event.getLoggerName();
            String text = TIME.format(Instant.ofEpochMilli(event.getTimeStamp()).atZone(ZoneId.systemDefault()))
                    + " " + TextLayout.padded(event.getLevel().toString(), 5)
                    + " " + logger.substring(logger.lastIndexOf('.') + 1)
                    + " " + event.getMDCPropertyMap().getOrDefault("job", "")
                    + " " + event.getFormattedMessage() + "\n"
                    + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
            return Printable.lines(Redaction.withoutCredentials(text));
        }
    }
}
