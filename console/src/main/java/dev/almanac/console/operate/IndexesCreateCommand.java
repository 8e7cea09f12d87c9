package dev.almanac.console.operate;

import dev.almanac.console.connection.ConnectionOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac indexes create}. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = "Creates missing collections and indexes of the store.")
final class IndexesCreateCommand extends StoreCommand {
    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "16",
            description = "claim partitions of a store that is created now, 1 to 200 (default: ${DEFAULT-VALUE})")
    private int partitions;

    @Override
    protected StoreAccess open(ConnectionOptions where) {
        return where.create(partitions);
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        IndexesVerifyCommand.print(out, access.verifiedStore().open(), List.of());
        return 0;
    }
}
