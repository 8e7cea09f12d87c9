package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.console.reach.Reach;
import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.console.terminal.WrongInput;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.time.CronExpression;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import dev.almanac.time.FirePreview.Reason;
import dev.almanac.time.Recurrence;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac jobs preview}. */
@Command(
        name = "preview",
        mixinStandardHelpOptions = true,
        description = "Shows when a job will fire, and why a planned time is moved or left out.")
final class PreviewCommand extends OneJob {
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
            throw new WrongInput("--count " + count + " is not within 1 to " + MOST);
        }
    }

    @Override
    protected int answer(Reach reach, Output out) {
        Scheduler scheduler = reach.scheduler();
        Job job = scheduler.findJobById(key()).orElseThrow(this::unknown);
        Map<String, ExclusionCalendar> stored = new HashMap<>();
        scheduler
                .calendars()
                .forEach(calendar -> stored.put(
                        calendar.name(),
                        CalendarDefinition.of(calendar.definition()).calendar()));
        List<FirePreview> fires = fires(job.specification(), after(job), stored);
        if (out.isJson()) {
            try (Json.Listing listing = out.listing("fires")) {
                fires.forEach(fire -> listing.item(answer(fire)));
                listing.end(Map.of());
            }
        } else if (fires.isEmpty()) {
            out.line(key() + " does not fire after that moment");
        } else {
            table(out, fires, zoneFor(job));
        }
        return 0;
    }

    private Instant after(Job job) {
        Instant now = Instant.now();
        try {
            return from == null ? now : Times.moment(from, zoneFor(job), now);
        } catch (IllegalArgumentException e) {
            throw new WrongInput("--from '" + from + "' " + e.getMessage());
        }
    }

    private List<FirePreview> fires(JobSpecification job, Instant after, Map<String, ExclusionCalendar> stored) {
        ZoneId zone = Objects.requireNonNull(job.zoneId());
        Instant single = job.singleSchedule();
        if (single != null) {
            LocalDateTime wanted = job.singleScheduleLocal();
            FirePreview fire = new FirePreview(
                    wanted == null ? LocalDateTime.ofInstant(single, zone) : wanted,
                    single,
                    single,
                    Reason.REGULAR,
                    -1,
                    "");
            return single.isAfter(after) ? List.of(fire) : List.of();
        }
        CronExpression cron = CronExpression.parse(String.valueOf(job.schedulingSpecification()), job.cronDialect());
        List<ExclusionCalendar> calendars = calendars(job, stored);
        return new Recurrence(
                        cron,
                        zone,
                        job.daylightSavingPolicy(),
                        calendars,
                        job.calendarPolicy(),
                        job.startAt(),
                        job.endAt())
                .preview(after, count);
    }

    private List<ExclusionCalendar> calendars(JobSpecification job, Map<String, ExclusionCalendar> stored) {
        List<ExclusionCalendar> calendars = new ArrayList<>();
        for (String name : job.calendars()) {
            ExclusionCalendar calendar = stored.get(name);
            if (calendar == null) {
                throw new WrongInput("calendar '" + name + "' of job '" + key() + "' is not stored in this database: a"
                        + " service declares it, and only that service can tell the job's fires");
            }
            calendars.add(calendar);
        }
        return calendars;
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
        return new Answer()
                .with("wantedTime", fire.wantedTime())
                .with("nominalTime", fire.nominalTime())
                .with("fireTime", fire.fireTime())
                .with("reason", fire.reason())
                .with("calendar", fire.calendarName().isEmpty() ? null : fire.calendarName())
                .fields();
    }

    private WrongInput unknown() {
        return new WrongInput("no live job '" + key() + "': it was never scheduled, has finished, or was cancelled");
    }
}
