package dev.almanac.web.draw;

import dev.almanac.model.Outcome;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.RunCounts;
import dev.almanac.web.read.PlannedFires;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A day of the viewer's zone: a lane for each command type, those with the most runs and fires first, and a cell for
 * each half hour.
 *
 * @param hours above the cells
 * @param lanes from top to bottom
 * @param now the cell that contains the present moment; -1 = the day does not
 * @param second whether the present moment is in the second half of its cell
 */
public record Day(LocalDate date, List<Hour> hours, List<Lane> lanes, int now, boolean second) {
    /** Length of a cell. */
    public static final Duration SLICE = Duration.ofMinutes(30);

    private static final int MOST_LANES = 12;
    /** On a lane. */
    private static final int MOST_PAUSES = 50;

    private static final Set<Outcome> RAN = EnumSet.of(
            Outcome.SUCCEEDED,
            Outcome.ATTEMPT_FAILED,
            Outcome.RETRIES_EXHAUSTED,
            Outcome.NON_RETRYABLE,
            Outcome.SKIPPED,
            Outcome.POSTPONED,
            Outcome.INTERRUPTED);

    /**
     * How many attempts have ended.
     *
     * @param rows how many status rows there are, by outcome
     */
    public static long ran(Map<String, Long> rows) {
        return RAN.stream()
                .mapToLong(outcome -> rows.getOrDefault(outcome.name(), 0L))
                .sum();
    }

    /** An hour of the wall clock, which is twice as long if the clock is set back in it. */
    public record Hour(String text, int cells) {}

    /** What a cell shows, the worst first. */
    public enum Mark {
        /** A fire has failed for good. */
        FAILED("✕", "bad"),
        /** Planned fires have passed without a run. */
        MISSED("▲", "warn"),
        /** A run began later than its threshold allows. */
        LATE("◆", "warn"),
        /** Something ran. */
        RAN("●", "good"),
        /** Something is to run. */
        PLANNED("○", "info");

        private final String shape;
        private final String tone;

        Mark(String shape, String tone) {
            this.shape = shape;
            this.tone = tone;
        }

        /** A character. */
        public String shape() {
            return shape;
        }

        /** Its colour, which adds no information. */
        public String tone() {
            return tone;
        }
    }

    /**
     * How much of what.
     *
     * @param missed those that were too late included
     * @param next planned fires that are the next ones of their jobs
     * @param further planned fires that follow those
     * @param more whether more are planned
     */
    public record Counts(
            long ran, long failed, long late, long missed, long tooLate, long next, long further, boolean more) {
        private static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, false);

        private static Counts of(RunCounts.Slice slice) {
            return new Counts(
                    Day.ran(slice.outcomes()),
                    slice.failed(),
                    slice.late(),
                    slice.missed(),
                    slice.tooLate(),
                    0,
                    0,
                    false);
        }

        private static Counts of(PlannedFires.Slice slice) {
            return new Counts(0, 0, 0, 0, 0, slice.next(), slice.further(), slice.more());
        }

        private Counts plus(Counts other) {
            return new Counts(
                    ran + other.ran,
                    failed + other.failed,
                    late + other.late,
                    missed + other.missed,
                    tooLate + other.tooLate,
                    next + other.next,
                    further + other.further,
                    more || other.more);
        }

        /** All planned fires. */
        public long planned() {
            return next + further;
        }

        private long activity() {
            return ran + failed + missed + next + further;
        }

        /** Absent if there is nothing. */
        public @Nullable Mark mark() {
            return failed > 0
                    ? Mark.FAILED
                    : missed > 0
                            ? Mark.MISSED
                            : late > 0 ? Mark.LATE : ran > 0 ? Mark.RAN : planned() > 0 ? Mark.PLANNED : null;
        }

        /** In words, the worst first; empty if there is nothing. */
        public String words() {
            List<String> words = new ArrayList<>();
            add(words, failed, "failed");
            add(words, missed, "missed");
            add(words, tooLate, "of these too late");
            add(words, late, "late");
            add(words, ran, "ran");
            add(words, planned(), more ? "or more planned" : "planned");
            return String.join(", ", words);
        }

        private static void add(List<String> words, long count, String what) {
            if (count > 0) {
                words.add(count + " " + what);
            }
        }
    }

    /**
     * A half hour of a lane.
     *
     * @param paused whether a pause holds in it, at least for a part
     */
    public record Cell(Instant start, Instant end, Counts counts, boolean paused, String title) {}

    /**
     * A command type, or all further ones, or a pause of other kinds of jobs.
     *
     * @param type whose jobs it shows; absent if it is not those of one type
     * @param others whether it shows the types together that have no lane of their own, which no page lists alone
     * @param pauses that are drawn on it, in the order of their beginnings
     */
    public record Lane(
            String name,
            @Nullable String type,
            boolean others,
            List<Cell> cells,
            Counts total,
            List<StandingPause> pauses) {
        /** Whether it shows a pause alone. */
        public boolean isPause() {
            return type == null && pauses.stream().anyMatch(pause -> !(pause.scope() instanceof PauseScope.Everything));
        }
    }

    /** The first moment of a day, and the first of the next. */
    public static Instant start(LocalDate date, Clock clock) {
        return date.atStartOfDay(clock.zone()).toInstant();
    }

    /**
     * @param pauses that are in force or planned
     * @param types whether the viewer may see the names of command types
     */
    public static Day of(
            LocalDate date,
            RunCounts ran,
            PlannedFires planned,
            List<StandingPause> pauses,
            boolean types,
            Clock clock) {
        Instant from = start(date, clock);
        Instant until = start(date.plusDays(1), clock);
        List<Instant> starts = Stream.iterate(from, at -> at.isBefore(until), at -> at.plus(SLICE))
                .toList();
        Map<String, Map<Instant, Counts>> byType = new TreeMap<>();
        ran.slices().forEach(slice -> add(byType, slice.type(), slice.start(), Counts.of(slice)));
        planned.slices().forEach(slice -> add(byType, slice.type(), slice.start(), Counts.of(slice)));
        List<StandingPause> drawn = pauses.stream()
                .filter(pause ->
                        pause.begins().isBefore(until) && end(pause, until).isAfter(from))
                .sorted(Comparator.comparing(StandingPause::begins))
                .toList();
        Lanes lanes = new Lanes(starts, until, drawn, clock);
        return new Day(
                date,
                hours(starts, clock),
                types ? lanes.byType(byType) : lanes.inAll(byType),
                clock.now().isBefore(from) || !clock.now().isBefore(until)
                        ? -1
                        : (int) Duration.between(from, clock.now()).dividedBy(SLICE),
                Duration.between(from, clock.now()).toMinutes() % SLICE.toMinutes() >= SLICE.toMinutes() / 2);
    }

    private static void add(Map<String, Map<Instant, Counts>> all, String type, Instant start, Counts counts) {
        all.computeIfAbsent(type, t -> new TreeMap<>()).merge(start, counts, Counts::plus);
    }

    private static Instant end(StandingPause pause, Instant open) {
        return pause.pause().until() == null ? open : pause.pause().until();
    }

    private static List<Hour> hours(List<Instant> starts, Clock clock) {
        List<Hour> hours = new ArrayList<>();
        for (Instant start : starts) {
            String text = clock.minute(start).substring(0, 2);
            int last = hours.size() - 1;
            if (last >= 0 && hours.get(last).text().equals(text)) {
                hours.set(last, new Hour(text, hours.get(last).cells() + 1));
            } else {
                hours.add(new Hour(text, 1));
            }
        }
        return hours;
    }

    /**
     * Makes the lanes.
     *
     * @param drawn pauses that hold within the day
     */
    private record Lanes(List<Instant> starts, Instant until, List<StandingPause> drawn, Clock clock) {
        List<Lane> byType(Map<String, Map<Instant, Counts>> byType) {
            Map<String, Map<Instant, Counts>> all = new LinkedHashMap<>(byType);
            drawn.stream()
                    .filter(pause -> pause.scope() instanceof PauseScope.CommandType)
                    .forEach(pause -> all.putIfAbsent(((PauseScope.CommandType) pause.scope()).type(), Map.of()));
            List<String> names = all.entrySet().stream()
                    .sorted(Comparator.comparing(
                            (Map.Entry<String, Map<Instant, Counts>> type) ->
                                    total(type.getValue()).activity(),
                            Comparator.reverseOrder()))
                    .map(Map.Entry::getKey)
                    .toList();
            int own = names.size() > MOST_LANES ? MOST_LANES - 1 : names.size();
            List<Lane> lanes = new ArrayList<>(names.subList(0, own).stream()
                    .map(type -> lane(type, type, all.get(type), ofType(type)))
                    .toList());
            if (names.size() > own) {
                Map<Instant, Counts> others = new TreeMap<>();
                names.subList(own, names.size())
                        .forEach(type -> all.get(type).forEach((start, of) -> others.merge(start, of, Counts::plus)));
                lanes.add(lane("other types (" + (names.size() - own) + ")", null, true, others, ofType(null)));
            }
            lanes.addAll(ofPauses(drawn.stream()
                    .filter(pause -> !(pause.scope() instanceof PauseScope.CommandType
                            || pause.scope() instanceof PauseScope.Everything))
                    .toList()));
            return lanes;
        }

        List<Lane> inAll(Map<String, Map<Instant, Counts>> byType) {
            Map<Instant, Counts> all = new TreeMap<>();
            byType.values().forEach(type -> type.forEach((start, of) -> all.merge(start, of, Counts::plus)));
            List<Lane> lanes = new ArrayList<>(List.of(lane("all types", null, all, ofType(null))));
            lanes.addAll(ofPauses(drawn.stream()
                    .filter(pause -> !(pause.scope() instanceof PauseScope.Everything))
                    .toList()));
            return lanes;
        }

        private List<Lane> ofPauses(List<StandingPause> some) {
            return some.stream()
                    .limit(MOST_LANES)
                    .map(pause -> lane(pause.scope().toString(), null, Map.of(), List.of(pause)))
                    .toList();
        }

        /** The pauses of a type, and of everything. */
        private List<StandingPause> ofType(@Nullable String type) {
            return drawn.stream()
                    .filter(pause -> pause.scope() instanceof PauseScope.Everything
                            || pause.scope() instanceof PauseScope.CommandType of
                                    && of.type().equals(type))
                    .limit(MOST_PAUSES)
                    .toList();
        }

        private static Counts total(Map<Instant, Counts> counts) {
            return counts.values().stream().reduce(Counts.NONE, Counts::plus);
        }

        private Lane lane(String name, @Nullable String type, Map<Instant, Counts> counts, List<StandingPause> pauses) {
            return lane(name, type, false, counts, pauses);
        }

        private Lane lane(
                String name,
                @Nullable String type,
                boolean others,
                Map<Instant, Counts> counts,
                List<StandingPause> pauses) {
            List<Cell> cells = new ArrayList<>();
            for (int i = 0; i < starts.size(); i++) {
                Instant start = starts.get(i);
                Instant end = i + 1 < starts.size() ? starts.get(i + 1) : until;
                boolean paused = pauses.stream()
                        .anyMatch(pause -> pause.begins().isBefore(end)
                                && Day.end(pause, until).isAfter(start));
                Counts of = counts.getOrDefault(start, Counts.NONE);
                String words = Stream.of(of.words(), paused ? "paused" : "")
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(", "));
                cells.add(new Cell(
                        start,
                        end,
                        of,
                        paused,
                        name + ", " + clock.minute(start) + " to " + clock.minute(end) + ": " + words));
            }
            return new Lane(name, type, others, cells, total(counts), pauses);
        }
    }
}
