package dev.almanac.engine.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The order of releases of a service (rule S26). Pure functions. */
public final class Releases {
    /** The words that have an order. */
    private static final Set<String> WORDS =
            Set.of("ALPHA", "BETA", "BUILD", "CR", "FINAL", "GA", "M", "PRE", "RC", "RELEASE", "SNAPSHOT", "SP", "V");

    private Releases() {}

    /**
     * Compares two names part by part: numbers as numbers, words such as RC before any number, a missing part as 0,
     * and SNAPSHOT as no part. Names that first differ in another word have no order, such as those of commits.
     *
     * @return less than zero if the first is lower, more than zero if it is higher, zero if they are equal or have no order
     */
    public static int compare(String one, String other) {
        List<String> left = parts(one);
        List<String> right = parts(other);
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            String mine = i < left.size() ? left.get(i) : "0";
            String its = i < right.size() ? right.get(i) : "0";
            if (!mine.equals(its) && !(hasOrder(mine) && hasOrder(its))) {
                return 0;
            }
            int order = comparePart(mine, its);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<String> parts(String release) {
        List<String> parts = new ArrayList<>();
        for (String name : release.toUpperCase(Locale.ROOT).split("[^A-Z0-9]+")) {
            List<String> split = List.of(name.split("(?<=[0-9])(?=[A-Z])|(?<=[A-Z])(?=[0-9])"));
            parts.addAll(split.stream().allMatch(Releases::hasOrder) ? split : List.of(name));
        }
        parts.removeIf(part -> part.isEmpty() || part.equals("SNAPSHOT"));
        return parts;
    }

    private static boolean hasOrder(String part) {
        return isNumber(part) || WORDS.contains(part);
    }

    private static int comparePart(String one, String other) {
        boolean number = isNumber(one);
        if (number && isNumber(other)) {
            String left = one.replaceFirst("^0+(?=.)", "");
            String right = other.replaceFirst("^0+(?=.)", "");
            return left.length() == right.length() ? left.compareTo(right) : left.length() - right.length();
        }
        // a word, such as RC, comes before the number that follows it in a release
        return number == isNumber(other) ? one.compareTo(other) : number ? 1 : -1;
    }

    private static boolean isNumber(String part) {
        return part.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
