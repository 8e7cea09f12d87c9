package dev.almanac.engine.port;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.model.JobSpecification;
import dev.almanac.time.CronDialect;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache for values that are expensive to compute and shared by many jobs: parsed expressions, and searches that found
 * no fire. The keys are all that a result depends on: of an expression its dialect and text, of a search the whole
 * recurrence, calendars included. So the results are those of a computation without a cache. Thread-safe.
 */
final class FireCache implements FirePlanner.Search {
    private static final int MOST_PARSED = 10_000;
    private static final int MOST_FRUITLESS = 1_000;
    /** A search goes 20 years ahead, so one that begins a day later would find nothing new but at its end. */
    private static final Duration FRUITLESS = Duration.ofDays(1);

    private final Map<String, Schedule> parsed = new ConcurrentHashMap<>();
    /** By the same keys. */
    private final Map<String, Duration> hundreds = new ConcurrentHashMap<>();
    /** From where a search has found nothing. An edited calendar is another object, and so another key. */
    private final Map<Recurrence, Instant> fruitless = new ConcurrentHashMap<>();

    @Override
    public Schedule parse(String text, CronDialect dialect) {
        if (parsed.size() > MOST_PARSED) {
            parsed.clear();
        }
        return parsed.computeIfAbsent(dialect + " " + text, key -> FirePlanner.Search.super.parse(text, dialect));
    }

    @Override
    public Duration hundredFires(JobSpecification job) {
        if (hundreds.size() > MOST_PARSED) {
            hundreds.clear();
        }
        String key = job.cronDialect() + " " + job.schedulingSpecification().orElse("");
        // not within the map: a rule that finds nothing takes long, and others wait meanwhile
        Duration known = hundreds.get(key);
        if (known == null) {
            known = FirePlanner.Search.super.hundredFires(job);
            hundreds.put(key, known);
        }
        return known;
    }

    /** Finding nothing takes longest; jobs of one schedule and one calendar share it, until the calendar is edited. */
    @Override
    public Optional<PlannedFire> next(Recurrence recurrence, Instant after) {
        Instant searched = fruitless.get(recurrence);
        if (searched != null && !after.isBefore(searched) && after.isBefore(searched.plus(FRUITLESS))) {
            return Optional.empty();
        }
        Optional<PlannedFire> next = recurrence.next(after);
        if (next.isEmpty()) {
            if (fruitless.size() > MOST_FRUITLESS) {
                fruitless.clear();
            }
            fruitless.put(recurrence, after);
        }
        return next;
    }
}
