package dev.almanac.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** The {@code name=value} arguments of a workload. */
record Options(Map<String, String> given) {
    static Options parse(String[] arguments) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 1; i < arguments.length; i++) {
            String[] parts = arguments[i].split("=", 2);
            given.put(parts[0], parts[1]);
        }
        return new Options(given);
    }

    int number(String name, int otherwise) {
        return Integer.parseInt(given.getOrDefault(name, String.valueOf(otherwise)));
    }

    String text(String name, String otherwise) {
        return given.getOrDefault(name, otherwise);
    }

    static double round(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
