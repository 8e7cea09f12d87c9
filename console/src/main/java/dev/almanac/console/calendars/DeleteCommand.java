package dev.almanac.console.calendars;

import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code almanac calendars delete}. Exit code 1 if a live job uses it. */
@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = "Deletes a stored calendar that no live job uses.")
final class DeleteCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "the calendar's name")
    private String name;

    @Mixin
    private ActorOptions actor;

    @Override
    protected int answer(StoreAccess access, Output out) {
        CalendarAccess.in(access, actor).delete(name);
        if (out.isJson()) {
            out.json(Map.of("deleted", name));
        } else {
            out.line(name + " was deleted");
        }
        return 0;
    }
}
