package dev.almanac.console;

import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.StaleGroupException;
import dev.almanac.model.StaleJobException;
import dev.almanac.store.DamagedJobException;
import dev.almanac.text.Printable;
import dev.almanac.text.Redaction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Error messages of one or two lines: what was wrong and what to do. Exit code 2 for invalid input, 3 for what is not found, 1 for failures. */
final class ErrorMessages {
    private static final Set<Class<?>> WRONG = Set.of(InvalidInputException.class, InvalidJobException.class);
    private static final Set<Class<?>> MISSING = Set.of(NotFoundException.class, JobNotFoundException.class);
    private static final Set<Class<?>> REFUSED = Set.of(
            CommandFailedException.class,
            JobExistsException.class,
            StaleJobException.class,
            StaleGroupException.class,
            DamagedJobException.class);

    private final ProcessEnvironment process;

    ErrorMessages(ProcessEnvironment process) {
        this.process = process;
    }

    int typed(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        if (e.getCause() instanceof IllegalArgumentException wrong && e.getArgSpec() instanceof OptionSpec option) {
            say(Redaction.withoutCredentials(option.longestName() + " '" + e.getValue() + "' " + wrong.getMessage()));
            return CommandLine.ExitCode.USAGE;
        }
        say(Redaction.withoutCredentials(wrong(e)));
        process.err().println("try: " + line.getCommandSpec().qualifiedName() + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    int failed(Exception e, CommandLine line, CommandLine.ParseResult parsed) {
        boolean missing = MISSING.contains(e.getClass());
        boolean wrong = WRONG.contains(e.getClass()) || e instanceof IllegalArgumentException;
        boolean known = missing || wrong || REFUSED.contains(e.getClass());
        say(
                known
                        ? String.valueOf(e.getMessage())
                        : e.getClass().getSimpleName() + ": " + Redaction.withoutCredentials(e.getMessage())
                                + "; --verbose shows where");
        stack(line, e);
        return missing ? 3 : wrong ? 2 : 1;
    }

    /**
     * Prints a message, which may hold keys. The caller hides what may be a password outside a connection string: text of
     * the driver, and words that no command knows.
     */
    private void say(String message) {
        process.out().flush();
        process.err().println(Printable.lines("almanac: " + Redaction.withoutConnectionStrings(message)));
    }

    private void stack(CommandLine line, Exception e) {
        if (line.getCommandSpec().root().userObject() instanceof Almanac almanac && almanac.isVerbose()) {
            StringWriter text = new StringWriter();
            e.printStackTrace(new PrintWriter(text));
            process.err().print(Printable.lines(Redaction.withoutCredentials(text.toString())));
        }
        process.err().flush();
    }

    /** What was wrong, with a suggestion for an unknown command, option or value. */
    private static String wrong(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().get(0);
            if (word.startsWith("-")) {
                String option = word.split("=", 2)[0];
                return option + " is no option of " + spec.qualifiedName()
                        + Nearest.meant(option, spec.optionsMap().keySet());
            }
            return "'" + word + "' is "
                    + (spec.subcommands().isEmpty() ? "too many arguments for " : "no command of ")
                    + spec.qualifiedName()
                    + Nearest.meant(word, spec.subcommands().keySet());
        }
        List<String> known = new ArrayList<>();
        ArgSpec argument = e.getArgSpec();
        if (argument != null && argument.completionCandidates() != null) {
            argument.completionCandidates().forEach(known::add);
        }
        return e.getMessage() + (e.getValue() == null ? "" : Nearest.meant(e.getValue(), known));
    }
}
