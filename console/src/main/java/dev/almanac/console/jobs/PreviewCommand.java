package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Job;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.time.FirePreview;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac jobs preview}. */
@Command(
        name = "preview",
        mixinStandardHelpOptions = true,
        description = "Shows when a job will fire, and why a planned time is moved or left out.")
final class PreviewCommand extends SingleJobCommand {
    private static final int MOST = 1_000;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "10",
            description = "how many, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int count = 10;

    @Option(names = "--from", paramLabel = "TIME", description = "after which moment (default: now)")
    private @Nullable String from;

    @Override
    protected void check() {
        super.check();
        if (count < 1 || count > MOST) {
            throw new InvalidInputException("--count " + count + " is not within 1 to " + MOST);
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = access.scheduler();
        Job job = scheduler.findJobById(key()).orElseThrow(() -> new JobNotFoundException(key()));
        List<FirePreview> fires = fires(scheduler, after(job));
        out.list(
                "fires",
                fires,
                PreviewCommand::answer,
                key() + " does not fire after that moment",
                () -> table(out, fires, zoneFor(job)));
        return 0;
    }

    private Instant after(Job job) {
        Instant now = Instant.now();
        try {
            return from == null ? now : Times.moment(from, zoneFor(job), now);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--from '" + from + "' " + e.getMessage());
        }
    }

    private List<FirePreview> fires(Scheduler scheduler, Instant after) {
        try {
            return scheduler.previewFireTimes(key(), after, count);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(
                    "job '" + key() + "' cannot be previewed here: " + e.getMessage()
                            + "; only a service that declares the job's calendars can compute its fires",
                    e);
        }
    }

    private static void table(Output out, List<FirePreview> fires, ZoneId zone) {
        Table table = out.table()
                .column("WANTED", Fit.WHOLE)
                .column(Times.head("FIRES", zone), Fit.WHOLE)
                .column("FIRES (UTC)", Fit.WHOLE)
                .column("WHY", Fit.WHOLE);
        for (FirePreview fire : fires) {
            table.row(
                    fire.wantedTime().toString().replace('T', ' '),
                    Times.second(fire.fireTime(), zone),
                    Times.second(fire.fireTime(), ZoneOffset.UTC),
                    fire.reason().name());
            if (!fire.calendarName().isEmpty()) {
                table.note("calendar: " + fire.calendarName());
            }
        }
        table.print();
    }

    private static Map<String, Object> answer(FirePreview fire) {
        return new JsonFields()
                .with("wantedTime", fire.wantedTime())
                .with("nominalTime", fire.nominalTime())
                .with("fireTime", fire.fireTime())
                .with("reason", fire.reason())
                .with("calendar", fire.calendarName().isEmpty() ? null : fire.calendarName())
                .fields();
    }
}
