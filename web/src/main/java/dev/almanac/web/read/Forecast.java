package dev.almanac.web.read;

import dev.almanac.time.FirePreview;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fires to come that are not ordinary, of all jobs (rule S23).
 *
 * @param from where the window begins
 * @param until where it ends
 * @param jobs how many jobs were looked at
 * @param findings in the order of time
 * @param gaps what was not looked at, in words
 */
public record Forecast(Instant from, Instant until, long jobs, List<Finding> findings, List<String> gaps) {
    /** Copies the lists. */
    public Forecast {
        findings = List.copyOf(findings);
        gaps = List.copyOf(gaps);
    }

    /** Why fires are not ordinary; by the names of {@link FirePreview.Reason} as far as that has them. */
    public enum Kind {
        /** Their wall time is left out; they come at the end of the gap. */
        MOVED_BY_GAP("moved by a clock change"),
        /** Their wall time is left out, and they do not come. */
        LOST_IN_GAP("lost in a clock change"),
        /** Their wall time is shown twice, and they come the first time only. */
        SECOND_PASS_DROPPED("come once, of a time shown twice"),
        /** Their wall time is shown twice, and they come both times. */
        DOUBLED("come twice by a clock change"),
        /** A calendar excludes their time; they come at another. */
        SHIFTED_BY_CALENDAR("shifted by a calendar"),
        /** A calendar excludes them. */
        EXCLUDED("dropped by a calendar"),
        /** A pause whose beginning or end is known holds them back. */
        PAUSED("held by a pause"),
        /** More are due in a minute than the live nodes have slots. */
        OVER_SLOTS("more due than slots"),
        /** No fire follows. */
        ENDS("last fire");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** As people read it. */
        public String words() {
            return words;
        }

        static Kind of(FirePreview.Reason reason) {
            return valueOf(reason.name());
        }
    }

    /**
     * Fires that are not ordinary for the same cause at the same time.
     *
     * @param at the moment, or the first of the day
     * @param day in the zone of the jobs; absent = it is about a moment
     * @param cause the calendar, the zone and its change, the pause, or what ends the jobs
     * @param days for how many days it stands, of which this is the first
     * @param jobs how many; of several days those of the day with the most; 0 = of any job
     * @param fires how many in all; of minutes with too many the most in one
     * @param keys of the first of these jobs
     */
    public record Finding(
            Kind kind,
            Instant at,
            @Nullable LocalDate day,
            String cause,
            int days,
            long jobs,
            long fires,
            List<String> keys) {
        /** Copies the keys. */
        public Finding {
            keys = List.copyOf(keys);
        }
    }

    /**
     * All findings of a kind.
     *
     * @param days on how many days or at how many moments
     * @param fires in all; 0 of minutes with too many and of ends
     * @param first when the first of them is
     */
    public record Total(Kind kind, int days, long fires, Instant first) {}

    /** By kind, in the order of the kinds; those without a finding are left out. */
    public List<Total> totals() {
        Map<Kind, Total> totals = new EnumMap<>(Kind.class);
        for (Finding finding : findings) {
            boolean counted = finding.kind() != Kind.OVER_SLOTS;
            totals.merge(
                    finding.kind(),
                    new Total(finding.kind(), finding.days(), counted ? finding.fires() : 0, finding.at()),
                    (one, other) ->
                            new Total(one.kind(), one.days() + other.days(), one.fires() + other.fires(), one.first()));
        }
        return new ArrayList<>(totals.values());
    }

    /** The findings of a kind; absent = all. */
    public List<Finding> findings(@Nullable Kind kind) {
        return kind == null
                ? findings
                : findings.stream().filter(finding -> finding.kind() == kind).toList();
    }
}
