package dev.almanac.web.draw;

import dev.almanac.store.DueCounts;
import dev.almanac.store.DueCounts.Slice;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Due jobs by minute, as bars in which the types stand on each other.
 *
 * @param bars places within {@value #WIDTH} x {@value #HEIGHT}
 * @param labels along the time axis
 * @param legend the types, those with the most jobs first
 * @param most jobs of the fullest minute
 * @param jobs in all
 */
public record Density(List<Bar> bars, List<Label> labels, List<Key> legend, long most, long jobs) {
    /** Width of the drawing. */
    public static final int WIDTH = 720;
    /** Height of the drawing without the labels. */
    public static final int HEIGHT = 120;

    private static final int MINUTES = 60;
    private static final int STEP = WIDTH / MINUTES;
    private static final int OWN_COLOURS = 5;
    private static final int EVERY = 10;

    /** A part of a bar: one type within one minute. */
    public record Bar(int x, double y, int width, double height, int colour, String title) {}

    /** A moment of the axis. */
    public record Label(int x, String text) {}

    /** A type and its colour, 0 to 5; the last one is for all others. */
    public record Key(String type, int colour, long jobs) {}

    /** @param from where the first minute begins */
    public static Density of(DueCounts counts, Instant from, Clock clock) {
        List<Key> legend = legend(counts);
        Map<String, Integer> colours = legend.stream().collect(Collectors.toMap(Key::type, Key::colour));
        Map<Integer, Map<Integer, Long>> columns = new TreeMap<>();
        for (Slice slice : counts.slices()) {
            int minute = (int) Math.max(0, Duration.between(from, slice.start()).toMinutes());
            if (minute < MINUTES) {
                columns.computeIfAbsent(minute, m -> new TreeMap<>())
                        .merge(colours.getOrDefault(slice.type(), OWN_COLOURS), slice.jobs(), Long::sum);
            }
        }
        long most = columns.values().stream()
                .mapToLong(column ->
                        column.values().stream().mapToLong(Long::longValue).sum())
                .max()
                .orElse(0);
        List<Bar> bars = new ArrayList<>();
        columns.forEach((minute, column) -> stack(bars, minute, column, most, clock.minute(at(from, minute))));
        List<Label> labels = new ArrayList<>();
        for (int minute = 0; minute < MINUTES; minute += EVERY) {
            labels.add(new Label(minute * STEP, clock.minute(at(from, minute))));
        }
        return new Density(bars, labels, legend, most, counts.jobs());
    }

    private static Instant at(Instant from, int minute) {
        return from.plus(Duration.ofMinutes(minute));
    }

    private static void stack(List<Bar> bars, int minute, Map<Integer, Long> column, long most, String time) {
        long all = column.values().stream().mapToLong(Long::longValue).sum();
        double foot = HEIGHT;
        for (Map.Entry<Integer, Long> part : column.entrySet()) {
            double height = Math.max(1.5, (double) HEIGHT * part.getValue() / most);
            foot -= height;
            bars.add(new Bar(
                    minute * STEP, Math.max(0, foot), STEP - 2, height, part.getKey(), time + ": " + all + " jobs"));
        }
    }

    private static List<Key> legend(DueCounts counts) {
        Map<String, Long> jobs = new LinkedHashMap<>();
        counts.slices().forEach(slice -> jobs.merge(slice.type(), slice.jobs(), Long::sum));
        List<Map.Entry<String, Long>> types = jobs.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
        List<Key> legend = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            legend.add(new Key(
                    types.get(i).getKey(),
                    Math.min(i, OWN_COLOURS),
                    types.get(i).getValue()));
        }
        return legend;
    }
}
