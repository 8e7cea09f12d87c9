package dev.almanac.web.page;

import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import dev.almanac.web.Applications;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.ForecastRun;
import dev.almanac.web.read.Forecaster;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fires to come that are not ordinary.
 *
 * @param forecast absent = it is not over yet
 * @param read how many jobs that the viewer may see were read so far
 * @param waits whether it begins when one of others has ended
 * @param next the length of its window, as it was typed
 * @param kind of which findings are listed; absent = all
 * @param findings those of this page
 * @param begin how many come before them
 * @param rest how many follow them
 * @param notes what it has not looked at, in words
 */
record ForecastPage(
        @Nullable Forecast forecast,
        long read,
        boolean waits,
        String next,
        Forecast.@Nullable Kind kind,
        List<Forecast.Finding> findings,
        int begin,
        int rest,
        List<String> notes) {
    static final List<String> SPANS = List.of("7d", "30d", "90d", "180d", "366d");

    private static final String USUAL = Forecaster.USUAL_WINDOW.toDays() + "d";
    private static final int PAGE = 100;

    static ForecastPage of(StoreReader storeReader, KnownCalendars calendars, PageRequest call) {
        String next = Objects.requireNonNullElse(call.parameter("next"), USUAL);
        Forecast.Kind kind = kind(call);
        int begin = call.count("begin");
        Duration length = days(next);
        if (length == null) {
            throw Refusal.ofValue(
                    "next",
                    next,
                    "is not within 1d to " + Forecaster.LONGEST.toDays() + "d; write " + USUAL + ", for instance.");
        }
        StoreReader.Forecasting state = of(storeReader, calendars, call, length);
        Forecast forecast = state.forecast();
        List<Forecast.Finding> all = forecast == null ? List.of() : forecast.findings(kind);
        List<Forecast.Finding> shown = all.stream().skip(begin).limit(PAGE).toList();
        return new ForecastPage(
                forecast,
                state.read(),
                state.waits(),
                next,
                kind,
                shown,
                begin,
                Math.max(0, all.size() - begin - PAGE),
                notes(call, forecast));
    }

    /** Of the jobs that the viewer may see; viewers of the same applications share it. */
    static StoreReader.Forecasting of(
            StoreReader storeReader, KnownCalendars calendars, PageRequest call, Duration length) {
        Applications sees = call.viewer().sees();
        boolean one = !sees.all() && sees.tags().size() == 1;
        JobQuery query = one ? JobQuery.ofApplication(sees.tags().iterator().next()) : JobQuery.all();
        return storeReader.forecast(List.of(sees, length), () -> {
            Forecaster.Window window = Forecaster.Window.ahead(storeReader.now(), length);
            List<StandingPause> pauses = storeReader.pauses();
            // the slots are of the jobs of all applications
            long slots = sees.all() ? Forecaster.slots(storeReader.nodes(), pauses, window.now()) : -1;
            return new ForecastRun(
                    new Forecaster(window, calendars.readable(), pauses, slots, Forecaster.Effort.OF_PAGE),
                    query,
                    sees.all()
                            ? null
                            : job -> sees.include(
                                    job.specification().applicationTag().orElse(null)));
        });
    }

    /** A number of days; absent if it is none, or none of a forecast. */
    static @Nullable Duration days(String typed) {
        String text = typed.strip();
        int days = text.matches("[0-9]{1,3}d") ? Integer.parseInt(text.substring(0, text.length() - 1)) : 0;
        return days < 1 || days > Forecaster.LONGEST.toDays() ? null : Duration.ofDays(days);
    }

    private static Forecast.@Nullable Kind kind(PageRequest call) {
        String typed = call.parameter("kind");
        if (typed == null) {
            return null;
        }
        return Arrays.stream(Forecast.Kind.values())
                .filter(kind -> kind.name().equals(typed))
                .findFirst()
                .orElseThrow(() -> Refusal.ofValue("kind", typed, "is no kind of a finding; leave it out for all."));
    }

    static List<String> notes(PageRequest call, @Nullable Forecast forecast) {
        List<String> notes = new ArrayList<>(forecast == null ? List.of() : forecast.gaps());
        if (!call.viewer().sees().all()) {
            notes.add("it is of the jobs that you may see; minutes with more runs than slots concern all applications");
        }
        return notes;
    }

    /** The address of this forecast with other findings. */
    String address(Frame frame, Forecast.@Nullable Kind of, int from) {
        return frame.link("/forecast", "next", next)
                + (of == null ? "" : "&kind=" + of.name())
                + (from <= 0 ? "" : "&begin=" + from);
    }

    String later(Frame frame) {
        return address(frame, kind, begin + PAGE);
    }

    String earlier(Frame frame) {
        return address(frame, kind, begin - PAGE);
    }
}
