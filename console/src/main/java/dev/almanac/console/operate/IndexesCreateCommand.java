package dev.almanac.console.operate;

import dev.almanac.console.connection.ConnectionOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code almanac indexes create}. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = "Creates missing collections and indexes of the store.")
final class IndexesCreateCommand extends StoreCommand {
    @Override
    protected StoreAccess open(ConnectionOptions where) {
        return where.open(true);
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        IndexesVerifyCommand.print(out, access.verifiedStore().open(), List.of());
        return 0;
    }
}
