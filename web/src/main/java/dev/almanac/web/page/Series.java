package dev.almanac.web.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A metric with its values, read from Prometheus' text format.
 *
 * @param name of the metric
 * @param help what it counts
 * @param type counter, gauge, histogram or summary
 * @param values by labels
 */
record Series(String name, String help, String type, List<Value> values) {
    static final Columns<Series> BY_NAME = new Columns<Series>().by("metrics.metric", Series::name);
    static final int MOST_VALUES = 100;
    static final int MOST_LINES = 5_000;

    /** A value and the labels it is for. */
    record Value(String labels, String number) {}

    static List<Series> read(String text) {
        Map<String, String> help = new LinkedHashMap<>();
        Map<String, String> types = new LinkedHashMap<>();
        Map<String, List<Value>> values = new LinkedHashMap<>();
        text.lines().limit(MOST_LINES).forEach(line -> {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ") && words.length == 4) {
                help.put(words[2], words[3]);
            } else if (line.startsWith("# TYPE ") && words.length == 4) {
                types.put(words[2], words[3]);
            } else if (!line.startsWith("#") && !line.isBlank()) {
                add(values, line);
            }
        });
        List<Series> series = new ArrayList<>();
        values.forEach((name, of) ->
                series.add(new Series(name, help.getOrDefault(name, ""), types.getOrDefault(name, ""), of)));
        return series;
    }

    private static void add(Map<String, List<Value>> values, String line) {
        int end = line.lastIndexOf(' ');
        int brace = line.indexOf('{');
        String head = end < 0 ? line : line.substring(0, end);
        String name = brace < 0 ? head : line.substring(0, brace);
        String labels = brace < 0 ? "" : head.substring(brace);
        values.computeIfAbsent(name, n -> new ArrayList<>())
                .add(new Value(labels, end < 0 ? "" : line.substring(end + 1)));
    }
}
