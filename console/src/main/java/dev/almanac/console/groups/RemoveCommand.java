package dev.almanac.console.groups;

import dev.almanac.Groups;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code almanac groups remove}. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = "Removes size and rate of a group: one of its jobs runs at a time from then on.")
final class RemoveCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "the group's name")
    private String name;

    @Mixin
    private ActorOptions actor;

    @Override
    protected int answer(StoreAccess access, Output out) {
        Groups groups = actor.sign(access.scheduler()).groups();
        GroupAnswer.get(groups, name);
        groups.remove(name);
        if (out.isJson()) {
            out.json(Map.of("removed", name));
        } else {
            out.line(name + " was removed; one of its jobs runs at a time");
        }
        return 0;
    }
}
