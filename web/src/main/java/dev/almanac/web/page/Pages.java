package dev.almanac.web.page;

import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.look.Almanacs;
import dev.almanac.web.look.House;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which address is which page. Thread-safe. */
public final class Pages {
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int OK = 200;
    private static final int REFRESH_SECONDS = 6;
    private static final int SLOWLY = 15;

    private final House house;
    private final Setup setup;
    private final Almanacs almanacs;
    private final CalendarDesk calendars;
    private final Map<String, Maker> shown;
    private final Map<String, Maker> sent;

    /** Makes a page. */
    private interface Maker {
        Reply make(Call call);
    }

    /** @param house which the pages show */
    public Pages(House house, Setup setup) {
        this.house = house;
        this.setup = setup;
        this.almanacs = new Almanacs(house, setup.reader(), setup.calendars());
        this.calendars = new CalendarDesk(house, almanacs, setup);
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

    /** The page of a path within the console; {@code form} = it was sent to, and its form was checked. */
    public Reply page(String path, boolean form, Call call) {
        Maker maker = (form ? sent : shown).get(path);
        if (maker == null) {
            throw new Refusal(NOT_FOUND, "There is no such page.");
        }
        return maker.make(call);
    }

    private Frame frame(Call call, String place, String title, int seconds) {
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
                setup.changes() && !call.viewer().changes().isEmpty());
    }

    private Reply now(Call call) {
        return Reply.page("now", frame(call, "/", "Now", REFRESH_SECONDS), NowPage.of(house, call));
    }

    private Reply jobs(Call call) {
        Map<String, Object> values = new HashMap<>();
        values.put("frame", frame(call, "/jobs", "Jobs", 0));
        values.put("page", JobsPage.of(house, call));
        values.put("sort", call.parameter("sort"));
        return new Reply(OK, "jobs.jte", values, null, null);
    }

    private Reply job(Call call) {
        JobPage page = JobPage.of(house, setup, call);
        return Reply.page("job", frame(call, "/jobs", page.key(), REFRESH_SECONDS), page);
    }

    private Reply failures(Call call) {
        return Reply.page(
                "failures", frame(call, "/failures", "Failures", SLOWLY), FailuresPage.of(house, setup, call));
    }

    private Reply calendars(Call call, CalendarsPage.@Nullable Edited edited) {
        List<String> names = call.parameters("name");
        CalendarsPage page = CalendarsPage.of(almanacs, names, call, calendars.isMine(call), edited);
        String title = page.one() == null ? "Calendars" : page.one().known().name();
        return Reply.page("calendars", frame(call, "/calendars", title, 0), page);
    }

    private Reply nodes(Call call) {
        return Reply.page(
                "nodes",
                frame(call, "/nodes", "Nodes", REFRESH_SECONDS),
                NodeLine.all(house.nodes(), call.clock().now()));
    }

    private Reply pauses(Call call, @Nullable String problem) {
        Instant now = call.clock().now();
        List<StandingPause> all = house.pauses();
        PausesPage page = new PausesPage(
                all.stream().filter(pause -> pause.isInForce(now)).toList(),
                all.stream().filter(pause -> !pause.isInForce(now)).toList(),
                house.groups(),
                calendars.isMine(call),
                problem);
        return Reply.page("pauses", frame(call, "/pauses", "Pauses", 0), page);
    }

    private Reply changePauses(Call call) {
        if (!calendars.isMine(call)) {
            throw new Refusal(FORBIDDEN, "You may not pause kinds of jobs here.");
        }
        try {
            PauseScope scope = PauseScope.parse(call.required("scope").strip());
            if ("resume".equals(call.parameter("do"))) {
                house.scheduler()
                        .as(call.viewer().author(), "resumed in the console")
                        .resume(scope);
            } else {
                String reason = call.required("reason");
                house.scheduler()
                        .as(call.viewer().author(), reason)
                        .pause(scope, new Pause(reason, call.viewer().author(), Moments.ahead(call, "until")));
            }
            house.changed();
            return Reply.to("/pauses");
        } catch (IllegalArgumentException wrong) {
            return pauses(call, wrong.getMessage());
        }
    }

    private Reply doctor(Call call) {
        call.requireAll();
        Map<String, Object> values = new HashMap<>();
        values.put("frame", frame(call, "/doctor", "Doctor", REFRESH_SECONDS));
        values.put("visit", house.doctor().visit());
        return new Reply(OK, "doctor.jte", values, null, null);
    }

    private Reply metrics(Call call) {
        call.requireAll();
        Map<String, Object> values = new HashMap<>();
        values.put("frame", frame(call, "/metrics", "Metrics", SLOWLY));
        values.put(
                "series",
                setup.metrics() == null ? null : Series.read(setup.metrics().get()));
        return new Reply(OK, "metrics.jte", values, null, null);
    }

    private Reply act(Call call) {
        ActPage page = ActPage.of(house, setup, call);
        return Reply.page("act", frame(call, "/jobs", page.title(), 0), page);
    }

    private Reply zone(Call call) {
        String zone = call.required("zone");
        ZoneId read = Zones.read(zone)
                .orElseThrow(() -> new Refusal(
                        BAD_REQUEST, "There is no such zone; write a region such as Europe/Brussels, UTC or +02:00."));
        return new Reply(
                303, null, Map.of(), Back.safe(call.parameter("back")), new Reply.Note(Zones.COOKIE, read.getId()));
    }
}
