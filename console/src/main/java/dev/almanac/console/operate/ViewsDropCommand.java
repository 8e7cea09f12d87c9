package dev.almanac.console.operate;

import dev.almanac.console.reach.Reach;
import dev.almanac.console.reach.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.mongo.MongoViews;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code almanac views drop}. */
@Command(name = "drop", mixinStandardHelpOptions = true, description = "Drops the views; never a collection.")
final class ViewsDropCommand extends StoreCommand {
    @Override
    protected int answer(Reach reach, Output out) {
        List<String> dropped = MongoViews.of(reach.client(), reach.settings()).drop();
        if (out.isJson()) {
            out.json(Map.of("dropped", dropped));
        } else {
            out.line(dropped.isEmpty() ? "there were no views" : "dropped: " + String.join(", ", dropped));
        }
        return 0;
    }
}
