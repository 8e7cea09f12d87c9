package dev.almanac.engine.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The order of releases of a service (rule S26). Pure functions. */
public final class Releases {
    /** The words that have an order: below the release itself, which has none of them, or above it. */
    private static final Map<String, Integer> WORDS =
            Map.of("ALPHA", -5, "BETA", -4, "M", -3, "PRE", -2, "RC", -1, "CR", -1, "BUILD", 1, "SP", 1);

    /** The words that say no more than that it is a release; a snapshot counts as the release that it leads to. */
    private static final Set<String> PLAIN = Set.of("", "FINAL", "GA", "RELEASE", "SNAPSHOT", "V");

    private static final String NONE = "0";

    private Releases() {}

    /**
     * Compares two names part by part: numbers as numbers, a missing one as 0, and words as the stages of a release: alpha, beta,
     * M, pre, RC or CR, the release itself, SP or build. V, FINAL, GA, RELEASE and SNAPSHOT count as no part. Names that first differ
     * in another word have no order, such as those of commits.
     *
     * @return less than zero if the first is lower, more than zero if it is higher, zero if they are equal or have no order
     */
    public static int compare(String one, String other) {
        List<String> left = parts(one);
        List<String> right = parts(other);
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            fill(left, i, right);
            fill(right, i, left);
            String mine = i < left.size() ? left.get(i) : NONE;
            String its = i < right.size() ? right.get(i) : NONE;
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
        String plain = release.toUpperCase(Locale.ROOT).replace("BUILD-SNAPSHOT", "SNAPSHOT");
        for (String name : plain.split("[^A-Z0-9]+")) {
            List<String> split = List.of(name.split("(?<=[0-9])(?=[A-Z])|(?<=[A-Z])(?=[0-9])"));
            parts.addAll(split.stream().allMatch(Releases::hasOrder) ? split : List.of(name));
        }
        parts.removeIf(PLAIN::contains);
        return parts;
    }

    /** Before its word, a release has as many numbers as the other: 2.0-RC2 is 2.0.0-RC2. */
    private static void fill(List<String> parts, int i, List<String> others) {
        boolean shorter = i < parts.size() && WORDS.containsKey(parts.get(i)) && i < others.size();
        if (shorter && isNumber(others.get(i))) {
            parts.add(i, NONE);
        }
    }

    private static boolean hasOrder(String part) {
        return isNumber(part) || WORDS.containsKey(part) || PLAIN.contains(part);
    }

    private static int comparePart(String one, String other) {
        if (isNumber(one) && isNumber(other)) {
            String left = one.replaceFirst("^0+(?=.)", "");
            String right = other.replaceFirst("^0+(?=.)", "");
            return left.length() == right.length() ? left.compareTo(right) : left.length() - right.length();
        }
        return WORDS.getOrDefault(one, 0) - WORDS.getOrDefault(other, 0);
    }

    private static boolean isNumber(String part) {
        return part.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
