package dev.almanac.console.groups;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.store.StoredGroup;
import java.time.ZoneOffset;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code almanac groups list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the groups that have a size or a rate; of any other group one job runs at a time.")
final class ListCommand extends StoreCommand {
    @Override
    protected int answer(StoreAccess access, Output out) {
        List<StoredGroup> groups = access.scheduler().groups().list();
        out.list("groups", groups, GroupAnswer::of, "no group has a size or a rate", () -> table(out, groups));
        return 0;
    }

    private static void table(Output out, List<StoredGroup> groups) {
        Table table = out.table()
                .column("GROUP", Fit.MIDDLE)
                .column("SIZE", Fit.WHOLE)
                .column("RATE", Fit.WHOLE)
                .column("VERSION", Fit.WHOLE)
                .column("CHANGED (UTC)", Fit.WHOLE)
                .column("BY", Fit.END);
        for (StoredGroup group : groups) {
            if (group.damage() == null) {
                table.row(
                        group.name(),
                        "" + group.limits().size(),
                        GroupAnswer.rate(group),
                        "" + group.version(),
                        Times.second(group.latestUpdate(), ZoneOffset.UTC),
                        group.author());
            } else {
                table.row(group.name(), "0", "-", "-", "-", "-").note("damaged: " + group.damage());
            }
        }
        table.print();
    }
}
