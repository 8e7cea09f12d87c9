package dev.almanac.web.page;

import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.draw.Year;
import dev.almanac.web.read.Forecaster;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.text.Clock;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of an edit of a calendar, and how much was examined to find them.
 *
 * @param from first day that was examined
 * @param changed all days that would be excluded or open, of {@value #DAYS}; absent if the present definition cannot be
 *     read
 * @param jobs the jobs that would have another next fire
 */
record EditPreview(LocalDate from, @Nullable List<String> changed, KnownCalendars.Moves jobs) {
    static final Columns<KnownCalendars.Moved> MOVED = new Columns<KnownCalendars.Moved>()
            .by("moved.job", moved -> moved.job().key())
            .by("moved.now", KnownCalendars.Moved::before)
            .by("moved.then", KnownCalendars.Moved::after);
    private static final int DAYS = 366;
    private static final int MOST_LISTED = 120;

    static EditPreview of(
            @Nullable ExclusionCalendar present, ExclusionCalendar edited, KnownCalendars.Moves jobs, Clock clock) {
        ZoneId zone = Year.zone(edited, clock.zone());
        LocalDate today = LocalDate.ofInstant(clock.now(), zone);
        return new EditPreview(today, present == null ? null : changed(today, present, edited, zone), jobs);
    }

    private static List<String> changed(
            LocalDate today, ExclusionCalendar present, ExclusionCalendar edited, ZoneId zone) {
        List<String> changed = new ArrayList<>();
        for (int i = 0; i < DAYS; i++) {
            LocalDate date = today.plusDays(i);
            Year.Day before = Year.day(date, present, zone);
            Year.Day after = Year.day(date, edited, zone);
            if (before != after) {
                changed.add(date + ": " + word(before) + " → " + word(after));
            } else if (!Year.quarters(date, present, zone).equals(Year.quarters(date, edited, zone))) {
                changed.add(date + ": " + word(before) + ", at other times");
            }
        }
        return List.copyOf(changed);
    }

    private static String word(Year.Day day) {
        return switch (day) {
            case OPEN -> "open";
            case PART -> "excluded in part";
            case SHUT -> "excluded";
        };
    }

    /** The first days that would change. */
    List<String> days() {
        return changed == null ? List.of() : changed.subList(0, Math.min(changed.size(), MOST_LISTED));
    }

    /** How many days were examined, and how many would change. */
    String daysExamined() {
        if (changed == null) {
            return "The days are not compared: the present definition cannot be read.";
        }
        String listed = changed.size() > MOST_LISTED ? "; the first " + MOST_LISTED + " are listed." : ".";
        return "Examined " + DAYS + " days from " + from + ": " + changed.size() + " would change" + listed
                + " Each day is examined at its quarters of an hour.";
    }

    /** How many jobs were examined, and how many would have another next fire. */
    String jobsExamined() {
        return "Examined the next fire of " + jobs.examined() + (jobs.examined() == 1 ? " job" : " jobs")
                + (jobs.examined() == 1 ? " that names it" : " that name it") + (jobs.more() ? ", of more: " : ": ")
                + jobs.moved().size() + " would move."
                + " In the forecast of " + Forecaster.USUAL_WINDOW.toDays() + " days " + jobs.later() + " would change"
                + (jobs.compared() == jobs.examined()
                        ? "."
                        : ", of the first " + jobs.compared() + " of them: more would take too long.")
                + (jobs.unplanned() == 0
                        ? ""
                        : " " + jobs.unplanned() + " of them have no fire that this console can plan.");
    }
}
