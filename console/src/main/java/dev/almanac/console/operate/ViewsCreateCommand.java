package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
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
    protected int answer(StoreAccess access, Output out) {
        access.store().open();
        List<String> views = MongoViews.of(access.client(), access.settings()).create();
        if (out.isJson()) {
            out.json(Map.of("views", views));
        } else {
            out.line("the views exist: " + String.join(", ", views));
        }
        return 0;
    }
}
