package dev.almanac.web.page;

import dev.almanac.Scheduler;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StaleJobException;
import dev.almanac.model.StandingPause;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.Doctor;
import dev.almanac.web.read.Kinds;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps paths to pages. Thread-safe. */
public final class Pages {
    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);
    private static final String ANOTHER =
            "Nothing was changed: in its place is another pause now, or none. Look at what is in force, then begin again.";
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int OK = 200;
    private static final int REFRESH_SECONDS = 6;
    private static final int WORKING_SECONDS = 1;
    private static final int SLOW_REFRESH_SECONDS = 15;

    private final StoreReader storeReader;
    private final Setup setup;
    private final KnownCalendars source;
    private final CalendarEdits calendars;
    private final SealedKeys keys = new SealedKeys();
    private final Operations operations;
    private final Map<String, Handler> shown;
    private final Map<String, Handler> sent;

    /** Answers a request with a page. */
    private interface Handler {
        PageResponse answer(PageRequest call);
    }

    /**
     * @param storeReader answers the questions of the pages
     * @param nanos a monotonic clock
     */
    public Pages(StoreReader storeReader, Setup setup, LongSupplier nanos) {
        this.storeReader = storeReader;
        this.setup = setup;
        this.source = new KnownCalendars(storeReader, setup.reader(), setup.calendars());
        this.operations = new Operations(nanos);
        this.calendars = new CalendarEdits(storeReader, source, setup, operations);
        this.shown = Map.ofEntries(
                Map.entry("/", this::now),
                Map.entry("/day", this::day),
                Map.entry("/forecast", this::forecast),
                Map.entry("/jobs", this::jobs),
                Map.entry("/job", this::job),
                Map.entry("/fires", this::fires),
                Map.entry("/act", this::done),
                Map.entry("/failures", this::failures),
                Map.entry("/calendars", call -> calendars(call, null)),
                Map.entry("/nodes", this::nodes),
                Map.entry("/pauses", call -> pauses(call, null, null)),
                Map.entry("/doctor", this::doctor),
                Map.entry("/metrics", this::metrics),
                Map.entry("/search", this::search),
                Map.entry("/zones", this::zones));
        this.sent = Map.of(
                "/zone", this::zone,
                "/act", this::act,
                "/pauses", this::changePauses,
                "/calendars", this::editCalendar);
    }

    /** The page of a path within the console; {@code form} = it is a form that was sent and checked. */
    public PageResponse page(String path, boolean form, PageRequest call) {
        Handler handler = (form ? sent : shown).get(path);
        if (handler == null) {
            throw new Refusal(NOT_FOUND, "There is no such page.");
        }
        return form ? answered(handler, call) : handler.answer(call);
    }

    /** A change that was refused, or that others were faster than, is no failure of the page, whichever form asked for it. */
    private static PageResponse answered(Handler handler, PageRequest call) {
        try {
            return handler.answer(call);
        } catch (IllegalArgumentException
                | IllegalStateException
                | InvalidJobException
                | JobNotFoundException
                | StaleJobException refused) {
            LOG.warn("a form of the console was refused", refused);
            throw new Refusal(CONFLICT, String.valueOf(refused.getMessage()));
        }
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
                call.canSignOut(),
                Frame.entries(setup.metrics() != null),
                0,
                call.path().equals("/search") ? Objects.requireNonNullElse(call.parameter("q"), "") : "",
                call.refresh());
    }

    private PageResponse now(PageRequest call) {
        NowPage page = NowPage.of(storeReader, call);
        return PageResponse.page("now", frame(call, "/", "Now", REFRESH_SECONDS).failed(page.failed()), page);
    }

    private PageResponse day(PageRequest call) {
        DayPage page = DayPage.of(storeReader, source, call);
        int seconds = page.day().now() < 0 ? 0 : SLOW_REFRESH_SECONDS;
        return PageResponse.page("day", frame(call, "/day", "Day", seconds), page);
    }

    private PageResponse forecast(PageRequest call) {
        ForecastPage page = ForecastPage.of(storeReader, source, call);
        int seconds = page.forecast() == null ? WORKING_SECONDS : 0;
        return PageResponse.page("forecast", frame(call, "/forecast", "Forecast", seconds), page);
    }

    private PageResponse jobs(PageRequest call) {
        JobsPage page = JobsPage.of(storeReader, call, keys);
        int seconds = !page.search().isOver() ? WORKING_SECONDS : page.isLong() ? 0 : SLOW_REFRESH_SECONDS;
        return PageResponse.page("jobs", frame(call, "/jobs", "Jobs", seconds), page);
    }

    private PageResponse job(PageRequest call) {
        JobPage page = JobPage.of(storeReader, setup, call);
        return PageResponse.page("job", frame(call, "/jobs", page.key(), REFRESH_SECONDS), page);
    }

    private PageResponse fires(PageRequest call) {
        FiresPage page = FiresPage.of(storeReader, call);
        String title = "Fires of " + page.report().jobSpecificationKey();
        return PageResponse.page("accounts", frame(call, "/jobs", title, 0), page);
    }

    private PageResponse failures(PageRequest call) {
        FailuresPage page = FailuresPage.of(storeReader, setup, call);
        return PageResponse.page(
                "failures",
                frame(call, "/failures", "Failures", SLOW_REFRESH_SECONDS).failed(page.inAll()),
                page);
    }

    private PageResponse search(PageRequest call) {
        return PageResponse.page("search", frame(call, "/search", "Search", 0), SearchPage.of(storeReader, call));
    }

    private PageResponse zones(PageRequest call) {
        return new PageResponse(OK, "zones.jte", Map.of("frame", frame(call, "/zones", "Zones", 0)), null, null);
    }

    private PageResponse calendars(PageRequest call, CalendarsPage.@Nullable Edited edited) {
        List<String> names = call.parameters("name");
        CalendarsPage page = CalendarsPage.of(
                source,
                names,
                call,
                calendars.mayChange(call),
                edited,
                () -> operations.fresh(call.viewer().author()),
                calendars.saved(call));
        String title = page.one() == null ? "Calendars" : page.one().known().name();
        return PageResponse.page("calendars", frame(call, "/calendars", title, 0), page);
    }

    private PageResponse editCalendar(PageRequest call) {
        String name = call.required("name");
        CalendarsPage.Edited edited = calendars.edit(call, name);
        return edited == null
                ? PageResponse.to("/calendars?name=" + Frame.encoded(name) + "&saved="
                        + Frame.encoded(call.required("operation")))
                : calendars(call, edited);
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

    private PageResponse pauses(PageRequest call, @Nullable PausePreview preview, @Nullable String problem) {
        Instant now = call.clock().now();
        List<StandingPause> all = storeReader.pauses();
        Kinds kinds = calendars.mayChange(call) ? storeReader.kinds() : null;
        PausesPage page = new PausesPage(
                all.stream()
                        .filter(pause -> !pause.pause().hasEnded(now))
                        .map(pause -> JobVisibility.shown(call, pause))
                        .toList(),
                storeReader.groups(),
                kinds,
                problem == null || kinds == null ? PausesPage.Typed.NOTHING : PausesPage.Typed.of(call, kinds),
                preview,
                problem,
                () -> operations.fresh(call.viewer().author()));
        return PageResponse.page("pauses", frame(call, "/pauses", "Pauses", 0), page);
    }

    private PageResponse changePauses(PageRequest call) {
        if (!calendars.mayChange(call)) {
            throw new Refusal(FORBIDDEN, "You may not pause kinds of jobs here.");
        }
        String author = call.viewer().author();
        String operation = call.parameter("operation");
        try {
            if (operations.result(operation, author, PauseScope.class).isPresent()) {
                return PageResponse.to("/pauses");
            }
            PauseScope scope = scope(call);
            String reason = call.reason();
            Pause pause = pause(call, reason, author);
            StandingPause ended = "resume".equals(call.parameter("do")) ? shown(call, scope) : null;
            Instant replaced = null;
            if (ended == null) {
                PausePreview preview = PausePreview.of(storeReader, call, scope, pause);
                replaced =
                        preview.replaced() == null ? null : preview.replaced().since();
                boolean confirmed = "yes".equals(call.parameter("confirmed"));
                String problem = confirmed ? unconfirmed(call, preview) : null;
                if (!confirmed || problem != null) {
                    return pauses(call, preview, problem);
                }
            }
            if (!operations.isKnown(operation, author)) {
                throw new IllegalArgumentException(Operations.UNKNOWN);
            }
            Instant since = replaced;
            operations.once(String.valueOf(operation), author, PauseScope.class, () -> {
                Scheduler scheduler = storeReader.changing().as(author, reason);
                boolean done = ended == null ? scheduler.pause(scope, pause, since) : scheduler.resume(ended);
                storeReader.changed();
                if (!done) {
                    throw new IllegalArgumentException(ANOTHER);
                }
                return scope;
            });
            return PageResponse.to("/pauses");
        } catch (Refusal | IllegalArgumentException | JobNotFoundException wrong) {
            return pauses(call, null, wrong.getMessage());
        }
    }

    /** The pause of the row that was sent: another one may have taken its place. */
    private StandingPause shown(PageRequest call, PauseScope scope) {
        String from = call.parameter("planned");
        String since = call.parameter("since");
        return storeReader.pauses().stream()
                .filter(pause -> pause.scope().equals(scope))
                .filter(pause -> Objects.equals(Objects.toString(pause.pause().from(), null), from))
                .filter(pause -> pause.since().toString().equals(since))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(ANOTHER));
    }

    /**
     * @throws Refusal if its beginning or its end is no moment, or has passed
     * @throws IllegalArgumentException if its end is not after its beginning
     */
    private static Pause pause(PageRequest call, String reason, String author) {
        Instant from = second(Moments.ahead(call, "from"));
        Instant now = call.clock().now();
        if (from != null && !from.isAfter(now)) {
            throw passed(call, "from", "to pause at once");
        }
        Pause pause = new Pause(reason, author, from, second(Moments.ahead(call, "until")));
        if (pause.hasEnded(now)) {
            throw passed(call, "until", "for no end");
        }
        return pause;
    }

    /** In whole seconds, as all lists of pauses show it. */
    private static @Nullable Instant second(@Nullable Instant moment) {
        return moment == null ? null : moment.truncatedTo(ChronoUnit.SECONDS);
    }

    private static Refusal passed(PageRequest call, String name, String without) {
        return Refusal.ofValue(name, call.required(name), "has passed; leave it empty " + without + ".");
    }

    private static PauseScope scope(PageRequest call) {
        String chosen = call.parameter("scope");
        String other = call.parameter("other");
        if (chosen != null && other != null) {
            throw new IllegalArgumentException("Choose what to pause from the list, or write it; not both.");
        }
        if (chosen == null && other == null) {
            throw new IllegalArgumentException("Choose what to pause.");
        }
        return PauseScope.parse(chosen == null ? String.valueOf(other).strip() : chosen);
    }

    private @Nullable String unconfirmed(PageRequest call, PausePreview preview) {
        if (!operations.isKnown(call.parameter("operation"), call.viewer().author())) {
            return Operations.UNKNOWN;
        }
        if (!Objects.equals(preview.replaces(), call.parameter("replaces"))) {
            return "The pause in whose place this one comes was changed since the preview. Nothing was paused; look at it,"
                    + " then confirm.";
        }
        if (preview.ended(call.clock().now()) != null && !"yes".equals(call.parameter("replace"))) {
            return "This would end another pause. Nothing was paused; confirm that it is meant.";
        }
        return preview.unknown() && !"yes".equals(call.parameter("unknown"))
                ? "Nothing is of this kind now. Nothing was paused; confirm that it is meant."
                : null;
    }

    private PageResponse doctor(PageRequest call) {
        call.requireAll();
        Map<String, Object> values = new HashMap<>();
        values.put("frame", frame(call, "/doctor", "Doctor", REFRESH_SECONDS));
        Doctor.Visit visit = storeReader.doctor().visit();
        values.put(
                "visit",
                visit == null || visit.report() == null
                        ? visit
                        : new Doctor.Visit(JobVisibility.shown(call, visit.report()), visit.at()));
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
        if (call.parameter("all") != null) {
            return actOnFilter(call);
        }
        ActPage page = ActPage.of(storeReader, setup, call, operations);
        return page.done()
                ? PageResponse.to("/act?done=" + Frame.encoded(page.operation()))
                : PageResponse.page("act", frame(call, "/jobs", page.title(), 0), page);
    }

    private PageResponse actOnFilter(PageRequest call) {
        ActPage.requireChanges(setup, call);
        String author = call.viewer().author();
        String operation = call.parameter("operation");
        boolean confirmed = "yes".equals(call.parameter("confirmed"));
        boolean before = confirmed
                && operations.result(operation, author, FilterAction.class).isPresent();
        String problem = confirmed && !before ? ActPage.unconfirmed(call, operations) : null;
        if (!confirmed || problem != null) {
            ActPage page = ActPage.ofFilter(storeReader, setup, call, operations, problem);
            return PageResponse.page("act", frame(call, "/jobs", page.title(), 0), page);
        }
        String id = String.valueOf(operation);
        operations.once(
                id,
                author,
                FilterAction.class,
                () -> FilterAction.begin(storeReader, setup, call, () -> operations.goesOn(id)));
        return PageResponse.to("/act?done=" + Frame.encoded(id));
    }

    private PageResponse done(PageRequest call) {
        Object done = ActPage.done(call, operations);
        if (done instanceof FilterAction all) {
            FilterAction.State state = all.state();
            if ("json".equals(call.parameter("as"))) {
                return PageResponse.file("action.json", state.json());
            }
            return PageResponse.page(
                    "filteraction",
                    frame(call, "/jobs", state.title(), state.ended() == null ? WORKING_SECONDS : 0),
                    state);
        }
        if (!(done instanceof ActPage page)) {
            throw new Refusal(NOT_FOUND, "This is no action on jobs.");
        }
        return PageResponse.page("act", frame(call, "/jobs", page.title(), 0), page);
    }

    private PageResponse zone(PageRequest call) {
        String zone = call.required("zone");
        ZoneId read = Zones.read(zone)
                .orElseThrow(() -> Refusal.ofValue(
                        "zone", zone, "is not known; write a region such as Europe/Brussels, UTC or +02:00."));
        return new PageResponse(303, null, Map.of(), call.back(), new PageResponse.Note(Zones.COOKIE, read.getId()));
    }
}
