package dev.almanac.web.page;

import dev.almanac.model.StandingPause;
import dev.almanac.store.RunCounts;
import dev.almanac.web.draw.Day;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.PlannedFires;
import dev.almanac.web.read.StoreReader;
import dev.almanac.web.text.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What has happened on a day, and what is to happen.
 *
 * @param previous absent if what ran on the day before is not stored any more
 * @param next absent if the day after is too far ahead
 * @param notes where the day is not complete, in words
 */
record DayPage(
        Day day,
        LocalDate today,
        @Nullable LocalDate previous,
        @Nullable LocalDate next,
        List<String> notes) {
    /** Nodes' reports are stored for so many days; as many are shown ahead. */
    private static final int MOST_DAYS = 7;

    static DayPage of(StoreReader storeReader, KnownCalendars calendars, PageRequest call) {
        Clock clock = call.clock();
        LocalDate today = LocalDate.ofInstant(clock.now(), clock.zone());
        LocalDate date = date(call, today);
        Instant from = Day.start(date, clock);
        Instant until = Day.start(date.plusDays(1), clock);
        RunCounts ran = storeReader.runCounts(from, until, Day.SLICE);
        PlannedFires planned = storeReader.planned(from, until, Day.SLICE, calendars::readable);
        List<StandingPause> pauses = storeReader.pauses().stream()
                .filter(pause -> !pause.pause().hasEnded(clock.now()))
                .map(pause -> JobVisibility.shown(call, pause))
                .toList();
        return new DayPage(
                Day.of(date, ran, planned, pauses, call.viewer().sees().all(), clock),
                today,
                date.isAfter(today.minusDays(MOST_DAYS)) ? date.minusDays(1) : null,
                date.isBefore(today.plusDays(MOST_DAYS)) ? date.plusDays(1) : null,
                notes(ran, planned, clock));
    }

    private static LocalDate date(PageRequest call, LocalDate today) {
        String typed = call.parameter("date");
        try {
            LocalDate date = typed == null ? today : LocalDate.parse(typed.strip());
            if (!date.isBefore(today.minusDays(MOST_DAYS)) && !date.isAfter(today.plusDays(MOST_DAYS))) {
                return date;
            }
        } catch (DateTimeException noDate) {
            // reported below
        }
        throw Refusal.ofValue(
                "date",
                String.valueOf(typed),
                "is no day from " + today.minusDays(MOST_DAYS) + " to " + today.plusDays(MOST_DAYS)
                        + ": what ran is stored for " + MOST_DAYS + " days.");
    }

    private static List<String> notes(RunCounts ran, PlannedFires planned, Clock clock) {
        List<String> notes = new ArrayList<>();
        if (ran.cut() != null) {
            notes.add("The nodes have reported more than is read here: what happened since " + clock.minute(ran.cut())
                    + " is not shown.");
        }
        if (planned.oneOf() > 1) {
            notes.add("More than " + NowPage.grouped(StoreReader.COUNTED) + " jobs are due: one partition in "
                    + planned.oneOf() + " was counted for all.");
        }
        if (planned.rest()) {
            notes.add("All planned fires are shown of the jobs that are due first; of the others the next one.");
        }
        if (planned.unknown() > 0) {
            notes.add("Of " + planned.unknown() + (planned.unknown() == 1 ? " job" : " jobs")
                    + " only the next fire is shown: a calendar is not known here, or fails.");
        }
        return notes;
    }

    String title() {
        return day.date().getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH) + " " + day.date()
                + (day.date().equals(today) ? ", today" : "");
    }

    /** Where the jobs of a cell are listed: its failures, else the jobs whose next fire it is, else those of the type. */
    String address(Frame frame, Day.Lane lane, Day.Cell cell) {
        if (cell.counts().mark() == null) {
            return frame.link("/pauses");
        }
        String within = cell.start() + "&until=" + cell.end() + type("&", lane);
        if (cell.counts().failed() > 0) {
            return frame.link("/failures?since=" + within);
        }
        return cell.counts().mark() == Day.Mark.PLANNED && cell.counts().further() == 0
                ? frame.link("/jobs?from=" + within)
                : frame.link("/jobs" + type("?", lane));
    }

    private static String type(String before, Day.Lane lane) {
        return lane.type() == null ? "" : before + "type=" + Frame.encoded(lane.type());
    }

    /** Where the failures of a lane are listed. */
    String failures(Frame frame, Day.Lane lane) {
        Day.Cell first = lane.cells().get(0);
        Day.Cell last = lane.cells().get(lane.cells().size() - 1);
        return frame.link("/failures?since=" + first.start() + "&until=" + last.end() + type("&", lane));
    }

    /** Where the jobs of a lane are listed, or its pause if it is no lane of jobs. */
    String jobs(Frame frame, Day.Lane lane) {
        return lane.isPause() ? frame.link("/pauses") : frame.link("/jobs" + type("?", lane));
    }

    /** The classes of a cell: whether it is paused, and on which side of it the line of the present moment is. */
    String css(int number, boolean paused) {
        return (paused ? "held" : "") + (number != day.now() ? "" : day.second() ? " now end" : " now");
    }
}
