package dev.almanac.console.operate;

import dev.almanac.console.reach.Reach;
import dev.almanac.console.reach.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.mongo.MongoViews;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code almanac views create}. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = "Creates the views almanac_running, almanac_late, almanac_failed and almanac_next.")
final class ViewsCreateCommand extends StoreCommand {
    @Override
    protected int answer(Reach reach, Output out) {
        reach.store().open();
        List<String> views = MongoViews.of(reach.client(), reach.settings()).create();
        if (out.isJson()) {
            out.json(Map.of("views", views));
        } else {
            out.line("the views are there: " + String.join(", ", views));
        }
        return 0;
    }
}
