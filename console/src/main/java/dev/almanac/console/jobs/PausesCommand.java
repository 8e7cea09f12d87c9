package dev.almanac.console.jobs;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.StandingPause;
import java.time.ZoneId;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac jobs pauses}. */
@Command(
        name = "pauses",
        mixinStandardHelpOptions = true,
        description = "Lists the pauses of tags, command types and everything; jobs show has those of single jobs.")
final class PausesCommand extends StoreCommand {
    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone of the times shown (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Override
    protected void check() {
        Times.zone(zone);
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        List<StandingPause> pauses = access.scheduler().pauses();
        out.list(
                "pauses",
                pauses,
                JobAnswer::pause,
                "no tag and no command type is paused, nor is everything",
                () -> table(out, pauses));
        return 0;
    }

    private void table(Output out, List<StandingPause> pauses) {
        ZoneId shown = Times.zone(zone);
        Table table = out.table()
                .column("PAUSED", Fit.END)
                .column("BY", Fit.END)
                .column(Times.head("SINCE", shown), Fit.WHOLE)
                .column(Times.head("UNTIL", shown), Fit.WHOLE);
        for (StandingPause pause : pauses) {
            table.row(
                            pause.scope().toString(),
                            pause.pause().author(),
                            Times.second(pause.since(), shown),
                            Times.second(pause.pause().until(), shown))
                    .note(pause.pause().reason());
        }
        table.print();
    }
}
