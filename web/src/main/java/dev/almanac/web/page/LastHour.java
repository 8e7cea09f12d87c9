package dev.almanac.web.page;

import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.web.draw.Day;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The runs of the last hour, by the minute reports of the nodes.
 *
 * @param runs how many attempts have ended, manual ones included
 * @param missed how many planned fires passed without a run
 * @param lateness of the attempts of planned runs
 * @param minutes number of minutes that were reported
 */
record LastHour(long runs, long missed, LatenessCounts lateness, long minutes) {
    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    static LastHour of(List<MinuteReport> reports, Instant now) {
        LatenessCounts lateness = reports.stream()
                .flatMap(minute -> minute.types().values().stream())
                .map(MinuteReport.OfType::lateness)
                .reduce(LatenessCounts.NONE, LatenessCounts::plus);
        long missed = reports.stream().mapToLong(MinuteReport::missed).sum();
        long minutes = reports.stream()
                .map(MinuteReport::minute)
                .min(Instant::compareTo)
                .map(first -> Math.max(1, Duration.between(first, now).toMinutes()))
                .orElse(0L);
        long runs = reports.stream()
                .flatMap(minute -> minute.types().values().stream())
                .mapToLong(type -> Day.ran(type.outcomes()))
                .sum();
        return new LastHour(runs, missed, lateness, minutes);
    }

    boolean isKnown() {
        return minutes > 0;
    }

    String perSecond() {
        return String.format(Locale.ROOT, "%.1f", runs / (minutes * 60.0));
    }

    Duration half() {
        return lateness.percentile(HALF);
    }

    Duration most() {
        return lateness.percentile(MOST);
    }
}
