package dev.almanac.console;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.StandingPause;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.StoredCalendar;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Json;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.ForecastRun;
import dev.almanac.web.read.Forecaster;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "forecast",
        description =
                "Shows the fires to come that are not ordinary, of all jobs: moved or dropped by a clock change, a"
                        + " calendar or a pause; minutes with more of them than slots; last ones.")
final class ForecastCommand implements Callable<Integer> {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long SILENCE_NANOS = 1_000_000_000;

    @Mixin
    private Session session;

    @Mixin
    private JobKind jobs;

    @Option(
            names = "--next",
            paramLabel = "DURATION",
            defaultValue = "180d",
            description = "how far it looks, 400d at most (default: ${DEFAULT-VALUE})")
    private Duration next;

    @Option(names = "--from", paramLabel = "TIME", description = "from when on (default: now)")
    private Times.@Nullable Moment from;

    @Option(names = "--kind", paramLabel = "KIND", description = "only findings of this kind: ${COMPLETION-CANDIDATES}")
    private Forecast.@Nullable Kind kind;

    @Option(
            names = "--after",
            paramLabel = "N",
            defaultValue = "0",
            description = "leaves out so many findings, which were shown before")
    private int after;

    @Mixin
    private RowOptions view;

    @Override
    public Integer call() {
        view.check("");
        InvalidInputException.when(after < 0, "--after " + after + " is less than 0");
        InvalidInputException.when(
                next.isZero() || next.compareTo(Forecaster.LONGEST) > 0,
                "--next " + next + " is not within 1s to " + Forecaster.LONGEST.toDays() + "d");
        return session.useStore(access -> {
            Forecast forecast = forecast(access, access.opened());
            if (session.out().isJson()) {
                try (Json.Listing listing = session.out().listing("findings")) {
                    Answers.forecast(listing, forecast, kind, after, view.limit(), forecast.gaps());
                }
            } else {
                List<Forecast.Finding> all = forecast.findings(kind);
                List<Forecast.Finding> shown =
                        all.stream().skip(after).limit(view.limit()).toList();
                print(forecast, shown, Math.max(0L, all.size() - (long) after - shown.size()));
            }
        });
    }

    private Forecast forecast(StoreAccess access, MongoJobStore store) {
        Instant now = access.now();
        Instant asked = from == null ? now : from.in(view.orUtc(), now);
        Instant begin = asked.isBefore(now) ? now : asked;
        Forecaster.Window window = new Forecaster.Window(now, begin, begin.plus(next));
        List<StandingPause> pauses = store.cluster().control().pauses();
        Forecaster forecaster = new Forecaster(
                window,
                calendars(access),
                pauses,
                Forecaster.slots(store.cluster().nodes(now.minus(HOUR)), pauses, now),
                Forecaster.Effort.OF_COMMAND);
        ForecastRun run = new ForecastRun(forecaster, jobs.query(Times.MOST), null);
        while (true) {
            Forecast forecast = run.go(store::list, System::nanoTime, SILENCE_NANOS, Integer.MAX_VALUE);
            if (forecast != null) {
                return forecast;
            }
            session.out().progress(() -> "read " + run.read() + " jobs");
        }
    }

    /** Those that are stored and can be read; of others the jobs are counted as unknown. */
    private static Map<String, ExclusionCalendar> calendars(StoreAccess access) {
        Map<String, ExclusionCalendar> calendars = new HashMap<>();
        for (StoredCalendar stored : access.scheduler().calendars().list()) {
            try {
                calendars.put(
                        stored.name(),
                        CalendarDefinition.of(stored.definition()).calendar());
            } catch (IllegalArgumentException unreadable) {
                // its jobs are counted
            }
        }
        return calendars;
    }

    private void print(Forecast forecast, List<Forecast.Finding> shown, long follow) {
        Output out = session.out();
        out.line(TextLayout.jobs(forecast.jobs()) + ", from " + Times.both(forecast.from(), view.orUtc()) + " until "
                + Times.both(forecast.until(), view.orUtc()));
        forecast.gaps().forEach(out::line);
        if (forecast.findings().isEmpty()) {
            out.line("every fire is an ordinary one");
            return;
        }
        out.table(
                new Columns<Forecast.Total>()
                        .whole("KIND", Forecast.Total::kind)
                        .whole("TIMES", Forecast.Total::days)
                        .whole("FIRES", total -> total.fires() == 0 ? "-" : total.fires())
                        .moment("FIRST", view.orUtc(), Forecast.Total::first),
                forecast.totals());
        if (!shown.isEmpty()) {
            out.line("");
            out.table(
                    new Columns<Forecast.Finding>()
                            .whole(Times.head("WHEN", view.orUtc()), this::when)
                            .whole("JOBS", finding -> finding.jobs() == 0 ? "-" : finding.jobs())
                            .whole("FIRES", finding -> finding.fires() == 0 ? "-" : finding.fires())
                            .text("WHAT", finding -> finding.kind().words())
                            .note(ForecastCommand::why),
                    shown);
        }
        if (follow > 0) {
            out.line(follow + " more follow: add --after " + (after + shown.size()));
        }
    }

    private String when(Forecast.Finding finding) {
        return finding.day() == null
                ? Times.second(finding.at(), view.orUtc())
                : finding.day().toString();
    }

    private static String why(Forecast.Finding finding) {
        long more = finding.jobs() - finding.keys().size();
        return finding.cause()
                + (finding.days() > 1 ? ", " + finding.days() + " days" : "")
                + (finding.keys().isEmpty() ? "" : ": " + String.join(", ", finding.keys()))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
