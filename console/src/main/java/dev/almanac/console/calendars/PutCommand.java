package dev.almanac.console.calendars;

import com.typesafe.config.Config;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.InvalidCalendarException;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.config.InvalidConfigException;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.time.CalendarTexts;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.StoredCalendar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac calendars put}. */
@Command(
        name = "put",
        mixinStandardHelpOptions = true,
        description = {
            "Stores a calendar, or its next version. The next fires of its jobs are planned again.",
            "It is given as KIND and PARAMETERS, as in calendars check, or by --file."
        })
final class PutCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "the name that jobs use")
    private String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "KIND",
            description = "Daily, Weekly, Monthly, Annual, Holiday or Cron")
    private @Nullable String kind;

    @Parameters(index = "2", arity = "0..1", paramLabel = "PARAMETERS", description = "such as 'days=1,7;zone=UTC'")
    private @Nullable String parameters;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "HOCON or JSON: kind = Weekly, exclude-days = [SAT, SUN], timezone, description")
    private @Nullable Path file;

    @Mixin
    private ActorOptions actor;

    private CalendarDefinition definition;

    @Override
    protected void check() {
        if ((file == null) == (kind == null)) {
            throw new InvalidInputException("which calendar? Give either KIND and PARAMETERS, or --file FILE");
        }
        try {
            definition = file == null
                    ? CalendarTexts.definition(String.valueOf(kind), parameters == null ? "" : parameters)
                    : CalendarDefinition.of(read(file).root().unwrapped());
        } catch (InvalidCalendarException e) {
            throw new InvalidInputException("the calendar was refused, nothing was written: " + e.getMessage(), e);
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        CalendarAccess stored = CalendarAccess.in(access, actor);
        Optional<StoredCalendar> before = stored.find(name);
        CalendarEdit edit = stored.put(name, definition);
        boolean changed =
                before.isEmpty() || before.get().version() != edit.calendar().version();
        CalendarAccess.print(out, edit, changed);
        return 0;
    }

    private static Config read(Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new InvalidInputException(
                    "the file " + file + (Files.exists(file) ? " cannot be read" : " does not exist"));
        }
        try {
            return AlmanacConfig.parse(file);
        } catch (InvalidConfigException e) {
            throw new InvalidInputException(
                    "the file was refused, nothing was written: " + e.problems().get(0), e);
        }
    }
}
