package dev.almanac.calendars;

import dev.almanac.calendars.ICalendarDates.LeftOut;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Turns the events of one file into dates, within the limits; collects problems. */
final class EventCollector {
    /** A rule looks at more days than it names. */
    private static final long LOOKS = 100_000;

    private static final long LOOKS_PER_DATE = 20;

    private final ICalendarWindow window;
    private final ICalendarLimits limits;
    private final Map<String, AllDayEvent> events = new LinkedHashMap<>();
    private final Map<String, Map<LocalDate, AllDayEvent>> replacements = new LinkedHashMap<>();
    private final List<LeftOut> leftOut = new ArrayList<>();
    /** Why a series was left out, by UID. */
    private final Map<String, String> leftOutSeries = new HashMap<>();

    private final ProblemList problems = new ProblemList(ICalendarImport.RULE);
    private long looks;
    private long dates;
    private boolean stopped;

    EventCollector(ICalendarWindow window, ICalendarLimits limits) {
        this.window = window;
        this.limits = limits;
    }

    ICalendarDates dates(List<RawEvent> raws) {
        // a replacement goes the way of its series, which may stand behind it
        raws.stream()
                .map(raw -> new EventReader(raw, limits.dates()))
                .sorted(Comparator.comparing(EventReader::isReplacement))
                .forEach(reader -> unlessRefused(() -> sort(reader)));
        if (problems.isEmpty()) {
            refuseStrays();
        }
        List<ICalendarEvent> read = new ArrayList<>();
        events.values().forEach(event -> unlessRefused(() -> read.add(read(event))));
        problems.refuseIfAny();
        return new ICalendarDates(read, leftOut.stream().distinct().toList(), window.from(), window.through());
    }

    private void refuseStrays() {
        replacements.forEach((uid, strays) -> {
            if (!events.containsKey(uid)) {
                strays.values()
                        .forEach(stray -> problems.addAll(stray.raw()
                                .lacking("RECURRENCE-ID", "replaces an occurrence of no all-day event of the file")));
            }
        });
    }

    private void unlessRefused(Runnable step) {
        if (stopped || problems.isFull()) {
            return;
        }
        try {
            step.run();
        } catch (InvalidCalendarException e) {
            problems.addAll(e);
        }
    }

    private void sort(EventReader reader) {
        String reason = reasonToLeaveOut(reader);
        if (reason != null) {
            String uid = reader.uid();
            leftOut.add(new LeftOut(uid, reason));
            if (!reader.isReplacement()) {
                leftOutSeries.putIfAbsent(uid, reason);
            }
            return;
        }
        AllDayEvent event = reader.event();
        LocalDate replaced = event.replaces();
        AllDayEvent earlier = replaced == null
                ? events.putIfAbsent(event.uid(), event)
                : replacements
                        .computeIfAbsent(event.uid(), absent -> new TreeMap<>())
                        .putIfAbsent(replaced, event);
        if (earlier != null) {
            throw event.raw().lacking(replaced == null ? "UID" : "RECURRENCE-ID", "occurs twice");
        }
    }

    /** Why an event is not read; null if it is. */
    private @Nullable String reasonToLeaveOut(EventReader reader) {
        String ofSeries = reader.replacedUid()
                .filter(uid -> !events.containsKey(uid))
                .map(leftOutSeries::get)
                .orElse(null);
        if (ofSeries != null) {
            return ofSeries;
        }
        if (reader.isTimed()) {
            return "is not an all-day event";
        }
        return reader.isNoDayOff() ? "is TRANSPARENT, so no day off" : null;
    }

    private ICalendarEvent read(AllDayEvent event) {
        Set<LocalDate> covered = event.cancelled() ? Set.of() : covered(event);
        dates += covered.size();
        if (dates > limits.dates()) {
            throw stopped(event, "gives more dates than the limit of " + limits.dates());
        }
        return new ICalendarEvent(event.uid(), EventText.summary(event.raw()), List.copyOf(covered));
    }

    private Set<LocalDate> covered(AllDayEvent event) {
        ICalendarWindow reach = window.reaching(event.span().days());
        Set<LocalDate> starts = starts(event, reach);
        Map<LocalDate, AllDayEvent> replaced = replacements.getOrDefault(event.uid(), Map.of());
        for (AllDayEvent replacement : replaced.values()) {
            if (reach.holds(replacement.replaces()) && !starts.contains(replacement.replaces())) {
                throw replacement.raw().lacking("RECURRENCE-ID", "replaces an occurrence that the event does not have");
            }
        }
        starts.removeAll(event.except());
        starts.removeAll(replaced.keySet());
        Set<LocalDate> covered = window.covered(starts, event.span().days());
        replaced.values().stream()
                .filter(replacement -> !replacement.cancelled())
                .forEach(replacement -> covered.addAll(window.covered(
                        Set.of(replacement.span().start()), replacement.span().days())));
        return covered;
    }

    private Set<LocalDate> starts(AllDayEvent event, ICalendarWindow reach) {
        Set<LocalDate> starts = new TreeSet<>(event.further());
        starts.add(event.span().start());
        YearlyRule rule = event.rule();
        if (rule != null) {
            long most = LOOKS + LOOKS_PER_DATE * limits.dates();
            looks += rule.looks(reach);
            if (looks > most) {
                throw stopped(event, "has rules that look at more days than the limit of " + most);
            }
            starts.addAll(rule.starts(reach));
        }
        return starts;
    }

    /** A limit of the whole file: what follows is not read any more. */
    private InvalidCalendarException stopped(AllDayEvent event, String reason) {
        stopped = true;
        return event.raw().lacking("file", reason);
    }
}
