package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.FirePreview;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.ForecastRun;
import dev.almanac.web.read.Forecaster;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the preview of a calendar edit counts, compared with what the edit does (rules C5, S23). */
class EditPreviewTest {
    private static final String MONDAYS = "0 1 8 ? * MON";
    private static final String TODAY = "2099-03-02";
    private static final String TOMORROW = "2099-03-03";

    private final MongoInVirtualTime mongo = new MongoInVirtualTime();
    /** START is 8:00 of a Monday. */
    private final World world = new World(0, mongo::store);

    private final Scheduler client = world.client(EditPreviewTest::reading);

    @AfterEach
    void end() {
        mongo.close();
    }

    private static SchedulerBuilder reading(SchedulerBuilder builder) {
        return builder.calendarReader(
                definition -> CalendarDefinition.of(definition).calendar());
    }

    private static Map<String, Object> holidays(String... dates) {
        return Map.of("kind", "holiday", "exclude-dates", List.of(dates));
    }

    private void schedule(String key, CalendarPolicy policy, String cron, @Nullable Integer maxFires) {
        client.scheduleJob(job(key).schedulingSpecification(cron)
                .calendar("bank")
                .calendarPolicy(policy)
                .maxFires(maxFires)
                .build());
    }

    /** At 8:02 of the Monday, after the runs of 8:01; a run of a key that begins so goes on. */
    private void ranToday(String endless) {
        world.work = call ->
                call.job().startsWith(endless) ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        world.node("a", world.store, Duration.ZERO, EditPreviewTest::reading);
        world.pass(Duration.ofMinutes(2));
    }

    private KnownCalendars.Moves preview(Map<String, Object> definition) {
        StoreReader reader = new StoreReader(
                world.store,
                client,
                client,
                () -> new InvariantReport(List.of(), List.of(), 0, List.of()),
                () -> 0,
                null);
        KnownCalendars calendars =
                new KnownCalendars(reader, given -> CalendarDefinition.of(given).calendar(), Map.of());
        return calendars.moves("bank", calendars.read(definition));
    }

    /** The next fires of all jobs, as they are stored. */
    private Map<String, List<Instant>> planned() {
        return world.store.list(JobQuery.all().limit(100)).jobs().stream()
                .collect(Collectors.toMap(
                        StoredJob::key, job -> Arrays.asList(job.plan().nextFireTime()), (a, b) -> a, TreeMap::new));
    }

    private static Map<String, List<Instant>> moved(KnownCalendars.Moves moves) {
        return moves.moved().stream()
                .collect(Collectors.toMap(
                        moved -> moved.job().key(),
                        moved -> Arrays.asList(moved.before(), moved.after()),
                        (a, b) -> a,
                        TreeMap::new));
    }

    /** What an edit moves. */
    private Map<String, List<Instant>> saved(Map<String, Object> definition) {
        Map<String, List<Instant>> before = planned();
        client.calendars().put("bank", definition);
        Map<String, List<Instant>> moved = new TreeMap<>();
        planned().forEach((key, after) -> {
            if (!after.equals(before.get(key))) {
                moved.put(key, Arrays.asList(before.get(key).get(0), after.get(0)));
            }
        });
        return moved;
    }

    /** The keys of the jobs that the forecast names, with what it says of them. */
    private Map<String, List<Forecast.Finding>> forecasts(Map<String, Object> definition) {
        Map<String, List<Forecast.Finding>> forecasts = new HashMap<>();
        for (String key : planned().keySet()) {
            Forecaster.Window window = Forecaster.Window.ahead(world.time.wall(), Forecaster.USUAL_WINDOW);
            Forecaster forecaster = new Forecaster(
                    window,
                    Map.of("bank", CalendarDefinition.of(definition).calendar()),
                    List.of(),
                    -1,
                    Forecaster.Effort.OF_COMMAND);
            ForecastRun run = new ForecastRun(forecaster, JobQuery.all(), job -> key.equals(job.key()));
            forecasts.put(
                    key,
                    Objects.requireNonNull(run.go(world.store::list, () -> 0, 0, Integer.MAX_VALUE))
                            .findings());
        }
        return forecasts;
    }

    @ParameterizedTest
    @EnumSource(names = {"FOLLOWING", "NEXT_INCLUDED"})
    @DisplayName(
            "C5, S23: the preview of an edit that closes a day on which jobs have run counts what the edit moves, and no more")
    void ranToday(CalendarPolicy policy) {
        Map<String, Object> open = holidays("2001-01-01");
        client.calendars().put("bank", open);
        schedule("ran", policy, MONDAYS, null);
        schedule("ran-and-to-come", policy, "0 1 8,17 ? * MON", null);
        schedule("daily", policy, "0 1 8 * * ?", null);
        schedule("counted", policy, "0 1 8 ? * MON,TUE", 2);
        client.scheduleJob(job("runs-until")
                .schedulingSpecification(MONDAYS)
                .calendar("bank")
                .calendarPolicy(policy)
                .endAt(START.plus(Duration.ofDays(3)))
                .build());
        schedule("other-day", policy, "0 1 8 ? * FRI", null);
        schedule("runs", policy, MONDAYS, null);
        schedule("runs-last", policy, "0 1 8 * * ?", 1);
        schedule("runs-canceled", policy, "0 1 8 * * ?", null);
        ranToday("runs");
        client.cancelJob("runs-canceled");
        assertThat(world.calls)
                .extracting(World.Call::job)
                .contains("ran", "runs", "runs-until", "runs-last", "runs-canceled");

        Map<String, Object> closed = holidays(TODAY, TOMORROW);
        Map<String, List<Forecast.Finding>> before = forecasts(open);
        KnownCalendars.Moves moves = preview(closed);
        Map<String, List<Forecast.Finding>> after = forecasts(closed);

        assertThat(moved(moves)).containsOnlyKeys("ran-and-to-come", "daily", "counted");
        assertThat(saved(closed)).isEqualTo(moved(moves));
        TreeSet<String> changed = new TreeSet<>(before.keySet());
        changed.removeIf(key -> before.get(key).equals(after.get(key)));
        assertThat(changed).containsExactly("counted", "daily", "ran-and-to-come");
        assertThat(moves.later()).isEqualTo(changed.size());
    }

    @Test
    @DisplayName("C5: once a run has ended whose day was closed meanwhile, its job fires where the preview has left it")
    void closedDuringTheRun() {
        client.calendars().put("bank", holidays("2001-01-01"));
        schedule("runs", CalendarPolicy.FOLLOWING, MONDAYS, null);
        CompletableFuture<Void> end = new CompletableFuture<>();
        ranToday("nothing");
        assertThat(preview(holidays(TODAY)).moved()).isEmpty();
        schedule("slow", CalendarPolicy.FOLLOWING, "0 3 8 ? * MON", null);
        world.work = call -> end;
        world.pass(Duration.ofMinutes(2));
        assertThat(preview(holidays(TODAY)).moved()).isEmpty();
        client.calendars().put("bank", holidays(TODAY));
        end.complete(null);
        world.pass(Duration.ofMinutes(1));
        assertThat(planned())
                .containsEntry("runs", List.of(Instant.parse("2099-03-09T08:01:00Z")))
                .containsEntry("slow", List.of(Instant.parse("2099-03-09T08:03:00Z")));
    }

    @Test
    @DisplayName("S23: neither the forecast nor the preview brings a fire back that runs, shifted from another day")
    void shiftedWhileItRuns() {
        Map<String, Object> open = holidays("2099-03-01");
        client.calendars().put("bank", open);
        schedule("runs", CalendarPolicy.FOLLOWING, "0 1 8 ? * SUN", null);
        ranToday("runs");
        assertThat(world.calls).hasSize(1);
        Map<String, Object> closed = holidays("2099-03-01", TODAY);
        Map<String, List<Forecast.Finding>> before = forecasts(open);
        assertThat(preview(closed).moved()).isEmpty();
        assertThat(forecasts(closed)).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "S2, S23: of a run during which its schedule was changed the preview shows what comes after the change")
    void changedDuringTheRun() {
        client.calendars().put("bank", holidays("2001-01-01"));
        client.calendars().put("shut", holidays(TODAY));
        schedule("runs", CalendarPolicy.FOLLOWING, MONDAYS, null);
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.work = call -> end;
        world.node("a", world.store, Duration.ZERO, EditPreviewTest::reading);
        world.pass(Duration.ofMinutes(2));
        client.updateJob(world.store.find("runs", FindScope.LIVE).orElseThrow().specification().toBuilder()
                .calendars(List.of("shut"))
                .build());
        List<FirePreview> shown = client.previewFireTimes("runs", world.time.wall(), 1);
        end.complete(null);
        world.pass(Duration.ofMinutes(1));
        assertThat(shown).extracting(FirePreview::fireTime).isEqualTo(planned().get("runs"));
    }

    @Test
    @DisplayName("C5: a preview that opens days again names the fire that a job without one then has, not its last one")
    void openedAgain() {
        client.calendars().put("bank", holidays("2001-01-01"));
        schedule("ran", CalendarPolicy.FOLLOWING, MONDAYS, null);
        ranToday("nothing");
        List<DayOfWeek> all = List.of(DayOfWeek.values());
        client.calendars()
                .put(
                        "bank",
                        Map.of(
                                "kind",
                                "weekly",
                                "exclude-days",
                                all.stream().map(DayOfWeek::name).toList()));
        assertThat(world.store.find("ran", FindScope.LIVE).orElseThrow().plan().nextFireTime())
                .isNull();
        KnownCalendars.Moves moves = preview(holidays(TODAY));
        assertThat(moved(moves))
                .containsExactly(Map.entry(
                        "ran", Arrays.asList(null, START.plus(Duration.ofDays(7).plusMinutes(1)))));
        assertThat(saved(holidays(TODAY))).isEqualTo(moved(moves));
    }
}
