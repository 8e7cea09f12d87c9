package dev.almanac.web.page;

import dev.almanac.store.StoredCalendar;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.draw.Year;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.JobScan;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.text.VisibleText;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calendars.
 *
 * @param all every one that is known
 * @param chosen those of the year
 * @param year at a glance
 * @param one the selected one; absent if several are selected
 * @param edited what is being changed of it; absent if nothing is
 * @param reason of that change as far as it was typed
 * @param mayChange whether this viewer may change calendars
 * @param operations makes the id of a form
 * @param saved what an edit did that was just stored; absent if none was
 */
record CalendarsPage(
        List<KnownCalendars.Known> all,
        List<String> chosen,
        Year year,
        @Nullable One one,
        @Nullable Edited edited,
        @Nullable String reason,
        boolean mayChange,
        Supplier<String> operations,
        CalendarEdits.@Nullable Saved saved) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int EARLIEST = 1970;
    private static final int LATEST = 2199;

    /**
     * One calendar.
     *
     * @param definition as JSON; absent if code declares it
     * @param version 0 if code declares it
     * @param users jobs that name it
     * @param more whether more jobs may name it
     * @param examined how many jobs were examined if the search ended before the list was full; else 0
     */
    record One(
            KnownCalendars.Known known,
            @Nullable String definition,
            long version,
            List<JobsPage.Line> users,
            boolean more,
            int examined) {}

    /**
     * An edit as it was sent.
     *
     * @param definition as it was typed
     * @param version that it replaces
     * @param problem why it cannot be stored; absent if it can
     * @param preview its effects; absent if it has a problem
     * @param unseen whether it was to be stored, and its effects were not shown before
     */
    record Edited(
            String definition,
            long version,
            @Nullable String problem,
            @Nullable EditPreview preview,
            boolean unseen) {
        String fingerprint() {
            return CalendarsPage.fingerprint(read(definition));
        }
    }

    static CalendarsPage of(
            KnownCalendars source,
            List<String> names,
            PageRequest call,
            boolean mayChange,
            @Nullable Edited edited,
            Supplier<String> operations,
            CalendarEdits.@Nullable Saved saved) {
        List<KnownCalendars.Known> all = source.all();
        List<String> chosen = names.isEmpty()
                ? all.stream().map(KnownCalendars.Known::name).limit(20).toList()
                : names;
        Map<String, ExclusionCalendar> drawn = new LinkedHashMap<>();
        all.stream()
                .filter(known -> known.calendar() != null && chosen.contains(known.name()))
                .forEach(known -> drawn.put(known.name(), known.calendar()));
        Year year = Year.of(year(call), drawn, call.clock().zone());
        One one = names.size() == 1 ? one(source, all, names.get(0), call) : null;
        String reason = edited == null ? null : call.parameter("reason");
        return new CalendarsPage(all, chosen, year, one, edited, reason, mayChange, operations, saved);
    }

    private static @Nullable One one(
            KnownCalendars source, List<KnownCalendars.Known> all, String name, PageRequest call) {
        KnownCalendars.Known known =
                all.stream().filter(k -> k.name().equals(name)).findFirst().orElse(null);
        if (known == null) {
            return null;
        }
        JobScan users = source.users(name);
        List<JobsPage.Line> lines = users.jobs().stream()
                .filter(job -> JobVisibility.isSeen(call, job))
                .map(job -> JobsPage.Line.of(
                        job,
                        new Why.Cluster(
                                List.of(), List.of(), any -> true, call.clock().now(), group -> Optional.empty()),
                        false))
                .toList();
        StoredCalendar stored = known.stored();
        return new One(
                known,
                stored == null ? null : text(stored.definition()),
                stored == null ? 0 : stored.version(),
                lines,
                users.next() != null,
                users.examined());
    }

    /** The drawn calendars that have a zone of their own, with it. */
    List<String> zones() {
        return all.stream()
                .filter(known -> chosen.contains(known.name()))
                .flatMap(known -> Stream.ofNullable(known.calendar())
                        .flatMap(CalendarsPage::zone)
                        .map(zone -> known.name() + " in " + zone.getId()))
                .toList();
    }

    /** Of one that fails, the year says so. */
    private static Stream<ZoneId> zone(ExclusionCalendar calendar) {
        try {
            return Stream.ofNullable(calendar.zone());
        } catch (IllegalArgumentException failed) {
            return Stream.empty();
        }
    }

    /** As JSON, in which characters that would not be seen are escaped: it can be edited and stored as it is shown. */
    static String text(Map<String, Object> definition) {
        return VisibleText.escaped(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(definition));
    }

    /** Differs if a definition differs; white space is no difference. */
    static String fingerprint(Map<String, Object> definition) {
        return UUID.nameUUIDFromBytes(text(definition).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** @throws IllegalArgumentException if it is no JSON object */
    static Map<String, Object> read(String definition) {
        try {
            Map<String, Object> read = MAPPER.readValue(definition, new TypeReference<Map<String, Object>>() {});
            if (read == null) {
                throw new IllegalArgumentException("the definition is empty");
            }
            return read;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("the definition is no JSON object: " + e.getOriginalMessage());
        }
    }

    static int year(PageRequest call) {
        String typed = call.parameter("year");
        if (typed == null) {
            return call.clock().now().atZone(call.clock().zone()).getYear();
        }
        try {
            int year = Integer.parseInt(typed.strip());
            if (year >= EARLIEST && year <= LATEST) {
                return year;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw Refusal.ofValue("year", typed, "is not within " + EARLIEST + " to " + LATEST + ".");
    }
}
