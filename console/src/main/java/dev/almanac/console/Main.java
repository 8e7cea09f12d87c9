package dev.almanac.console;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;

/** The {@code almanac} command. Exit codes: 0 done, 1 found something wrong, 2 bad input, 3 not found. */
public final class Main {
    private Main() {}

    /** @param arguments as typed */
    public static void main(String[] arguments) {
        System.exit(run(ProcessEnvironment.ofProcess(), arguments));
    }

    static int run(ProcessEnvironment process, String... arguments) {
        try {
            int code = line(process, List.of(arguments)).execute(arguments);
            return process.out().checkError() ? cutOff(process, code) : code;
        } finally {
            process.out().flush();
            process.err().flush();
        }
    }

    /** A program that reads the answer must not take a part of it for the whole. */
    private static int cutOff(ProcessEnvironment process, int code) {
        process.err()
                .println("almanac: standard output could not be written; the disk may be full, or its reader has ended;"
                        + " the answer is incomplete, and what the command has changed stays changed");
        return code == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : code;
    }

    static CommandLine line(ProcessEnvironment process) {
        return line(process, null);
    }

    /** With those that the arguments can mean; absent = all. */
    static CommandLine line(ProcessEnvironment process, @Nullable List<String> arguments) {
        ErrorMessages complaints = new ErrorMessages(process);
        CommandLine line = new Commands(new Factory(process))
                .root(arguments)
                .setExecutionStrategy(HelpPages::execute)
                .registerConverter(Duration.class, Times::span)
                .registerConverter(LocalDate.class, Times::date)
                .registerConverter(Times.Moment.class, Times.Moment::new)
                .registerConverter(Times.Past.class, Times.Past::new)
                .registerConverter(ZoneId.class, Times::zone)
                // a key may begin with @
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.max(55, process.width()))
                .setColorScheme(CommandLine.Help.defaultColorScheme(process.colours() ? Ansi.ON : Ansi.OFF))
                .setOut(process.out())
                .setErr(process.err())
                .setParameterExceptionHandler(complaints::typed)
                .setExecutionExceptionHandler(complaints::failed);
        HelpPages.arrange(line);
        return line;
    }

    /** Creates commands and mixins; those that need it get the process environment. */
    private record Factory(ProcessEnvironment process) implements IFactory {
        private static final Map<Class<?>, Function<ProcessEnvironment, ?>> MAKERS = Map.of(
                Output.class, Output::new,
                ConnectionOptions.class, ConnectionOptions::new,
                Confirmation.class, Confirmation::new,
                RunCommand.class, RunCommand::new);

        @Override
        public <K> K create(Class<K> type) throws Exception {
            Function<ProcessEnvironment, ?> maker = MAKERS.get(type);
            return type.cast(maker == null ? CommandLine.defaultFactory().create(type) : maker.apply(process));
        }
    }
}
