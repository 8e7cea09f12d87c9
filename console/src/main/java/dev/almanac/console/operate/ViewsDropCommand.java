package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.mongo.MongoViews;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code almanac views drop}. */
@Command(name = "drop", mixinStandardHelpOptions = true, description = "Drops the views; never a collection.")
final class ViewsDropCommand extends StoreCommand {
    @Override
    protected int answer(StoreAccess access, Output out) {
        List<String> dropped = MongoViews.of(access.client(), access.settings()).drop();
        if (out.isJson()) {
            out.json(Map.of("dropped", dropped));
        } else {
            out.line(dropped.isEmpty() ? "there were no views" : "dropped: " + String.join(", ", dropped));
        }
        return 0;
    }
}
