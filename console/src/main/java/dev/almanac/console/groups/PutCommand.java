package dev.almanac.console.groups;

import dev.almanac.Groups;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.CommandFailedException;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.Rate;
import dev.almanac.model.StaleGroupException;
import dev.almanac.store.StoredGroup;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac groups put}. Exit code 1 if another version is stored than the one that was named. */
@Command(
        name = "put",
        mixinStandardHelpOptions = true,
        description = "Stores size and rate of a group, replacing the stored ones; nodes apply them within a second.")
final class PutCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "as jobs name it in their exclusive group")
    private String name;

    @Option(
            names = "--size",
            paramLabel = "N",
            required = true,
            description = "how many of its jobs may run at a time in the whole cluster, 1 to 1000")
    private int size;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description =
                    "how many may be claimed within a period, such as 10/s, 100/min or 5/PT10S (default: any number)")
    private @Nullable String rate;

    @Option(
            names = "--if-version",
            paramLabel = "VERSION",
            description = "only if this version is stored; 0: only if none is")
    private @Nullable Long version;

    @Mixin
    private ActorOptions actor;

    private GroupLimits limits;

    @Override
    protected void check() {
        try {
            limits = new GroupLimits(size, rate == null ? null : Rate.parse(rate));
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("the group was refused, nothing was written: " + e.getMessage(), e);
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Groups groups = actor.sign(access.scheduler()).groups();
        long before = groups.get(name).map(StoredGroup::version).orElse(0L);
        StoredGroup stored = put(groups);
        boolean changed = stored.version() != before;
        if (out.isJson()) {
            Map<String, Object> answer = GroupAnswer.of(stored);
            answer.put("changed", changed);
            out.json(answer);
        } else {
            out.line(
                    changed
                            ? name + " is version " + stored.version() + " now: " + stored.limits()
                            : name + " is stored already, nothing was changed");
        }
        return 0;
    }

    private StoredGroup put(Groups groups) {
        try {
            return version == null ? groups.put(name, limits) : groups.put(name, limits, version);
        } catch (StaleGroupException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()), e);
        }
    }
}
