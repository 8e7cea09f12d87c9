package dev.almanac.console.operate;

import dev.almanac.console.reach.Connection;
import dev.almanac.console.reach.Reach;
import dev.almanac.console.reach.StoreCommand;
import dev.almanac.console.terminal.Output;
import picocli.CommandLine.Command;

/** {@code almanac indexes create}. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = "Creates the store's collections and indexes where they are missing.")
final class IndexesCreateCommand extends StoreCommand {
    @Override
    protected Reach open(Connection where) {
        return where.open(true);
    }

    @Override
    protected int answer(Reach reach, Output out) {
        IndexesVerifyCommand.tell(out, reach.store().open());
        return 0;
    }
}
