package dev.almanac.web.page;

import dev.almanac.Scheduler;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps paths to pages. Thread-safe. */
public final class Pages {
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final int OK = 200;
    private static final int REFRESH_SECONDS = 6;
    private static final int SLOW_REFRESH_SECONDS = 15;

    private final StoreReader storeReader;
    private final Setup setup;
    private final KnownCalendars source;
    private final CalendarEdits calendars;
    private final SealedKeys keys = new SealedKeys();
    private final Map<String, Handler> shown;
    private final Map<String, Handler> sent;

    /** Answers a request with a page. */
    private interface Handler {
        PageResponse answer(PageRequest call);
    }

    /** @param storeReader answers the questions of the pages */
    public Pages(StoreReader storeReader, Setup setup) {
        this.storeReader = storeReader;
        this.setup = setup;
        this.source = new KnownCalendars(storeReader, setup.reader(), setup.calendars());
        this.calendars = new CalendarEdits(storeReader, source, setup);
        this.shown = Map.of(
                "/", this::now,
                "/jobs", this::jobs,
                "/job", this::job,
                "/failures", this::failures,
                "/calendars", call -> calendars(call, null),
                "/nodes", this::nodes,
                "/pauses", call -> pauses(call, null),
                "/doctor", this::doctor,
                "/metrics", this::metrics);
        this.sent = Map.of(
                "/zone", this::zone,
                "/act", this::act,
                "/pauses", this::changePauses,
                "/calendars", call -> calendars(call, calendars.edit(call, call.required("name"))));
    }

    /** The page of a path within the console; {@code form} = it is a form that was sent and checked. */
    public PageResponse page(String path, boolean form, PageRequest call) {
        Handler handler = (form ? sent : shown).get(path);
        if (handler == null) {
            throw new Refusal(NOT_FOUND, "There is no such page.");
        }
        return handler.answer(call);
    }

    private Frame frame(PageRequest call, String place, String title, int seconds) {
        return new Frame(
                call.base(),
                place,
                title,
                setup.title(),
                call.viewer().author(),
                call.clock(),
                call.formToken(),
                call.self(),
                seconds,
                setup.changes() && !call.viewer().changes().isEmpty(),
                Frame.entries(setup.metrics() != null));
    }

    private PageResponse now(PageRequest call) {
        return PageResponse.page("now", frame(call, "/", "Now", REFRESH_SECONDS), NowPage.of(storeReader, call));
    }

    private PageResponse jobs(PageRequest call) {
        return PageResponse.page("jobs", frame(call, "/jobs", "Jobs", 0), JobsPage.of(storeReader, call, keys));
    }

    private PageResponse job(PageRequest call) {
        JobPage page = JobPage.of(storeReader, setup, call);
        return PageResponse.page("job", frame(call, "/jobs", page.key(), REFRESH_SECONDS), page);
    }

    private PageResponse failures(PageRequest call) {
        return PageResponse.page(
                "failures",
                frame(call, "/failures", "Failures", SLOW_REFRESH_SECONDS),
                FailuresPage.of(storeReader, setup, call));
    }

    private PageResponse calendars(PageRequest call, CalendarsPage.@Nullable Edited edited) {
        List<String> names = call.parameters("name");
        CalendarsPage page = CalendarsPage.of(source, names, call, calendars.mayChange(call), edited);
        String title = page.one() == null ? "Calendars" : page.one().known().name();
        return PageResponse.page("calendars", frame(call, "/calendars", title, 0), page);
    }

    private PageResponse nodes(PageRequest call) {
        return PageResponse.page(
                "nodes",
                frame(call, "/nodes", "Nodes", REFRESH_SECONDS),
                NodeLine.all(
                        storeReader.nodes(),
                        storeReader.pauses(),
                        call.clock().now(),
                        call.viewer().sees().all()));
    }

    private PageResponse pauses(PageRequest call, @Nullable String problem) {
        Instant now = call.clock().now();
        List<StandingPause> all = storeReader.pauses();
        PausesPage page = new PausesPage(
                all.stream()
                        .filter(pause -> pause.isInForce(now))
                        .map(pause -> JobVisibility.shown(call, pause))
                        .toList(),
                storeReader.groups(),
                calendars.mayChange(call),
                problem);
        return PageResponse.page("pauses", frame(call, "/pauses", "Pauses", 0), page);
    }

    private PageResponse changePauses(PageRequest call) {
        if (!calendars.mayChange(call)) {
            throw new Refusal(FORBIDDEN, "You may not pause kinds of jobs here.");
        }
        try {
            PauseScope scope = PauseScope.parse(call.required("scope").strip());
            String reason = call.reason();
            Scheduler scheduler = storeReader.scheduler().as(call.viewer().author(), reason);
            if ("resume".equals(call.parameter("do"))) {
                scheduler.resume(scope);
            } else {
                scheduler.pause(scope, new Pause(reason, call.viewer().author(), Moments.ahead(call, "until")));
            }
            storeReader.changed();
            return PageResponse.to("/pauses");
        } catch (IllegalArgumentException | JobNotFoundException wrong) {
            return pauses(call, wrong.getMessage());
        }
    }

    private PageResponse doctor(PageRequest call) {
        call.requireAll();
        Map<String, Object> values = new HashMap<>();
        values.put("frame", frame(call, "/doctor", "Doctor", REFRESH_SECONDS));
        values.put("visit", storeReader.doctor().visit());
        return new PageResponse(OK, "doctor.jte", values, null, null);
    }

    private PageResponse metrics(PageRequest call) {
        call.requireAll();
        Map<String, Object> values = new HashMap<>();
        values.put("frame", frame(call, "/metrics", "Metrics", SLOW_REFRESH_SECONDS));
        String text = setup.metrics() == null ? null : setup.metrics().get();
        values.put("series", text == null ? null : Series.read(text));
        values.put("lines", text == null ? 0 : (int) text.lines().count());
        return new PageResponse(OK, "metrics.jte", values, null, null);
    }

    private PageResponse act(PageRequest call) {
        ActPage page = ActPage.of(storeReader, setup, call);
        return PageResponse.page("act", frame(call, "/jobs", page.title(), 0), page);
    }

    private PageResponse zone(PageRequest call) {
        String zone = call.required("zone");
        ZoneId read = Zones.read(zone)
                .orElseThrow(() -> Refusal.badRequest(
                        "There is no such zone; write a region such as Europe/Brussels, UTC or +02:00."));
        return new PageResponse(303, null, Map.of(), call.back(), new PageResponse.Note(Zones.COOKIE, read.getId()));
    }
}
