package dev.almanac.web.page;

import dev.almanac.model.JobState;
import dev.almanac.text.Printable;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.guard.RequestFields;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.Forecaster;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a request for the API, all of whose problems are refused at once. For one request. */
final class ApiParameters {
    static final int MOST = 1_000;
    /** More findings than a forecast has. */
    private static final int MOST_SKIPPED = 10_000_000;

    private static final int DEFAULT = 50;
    private static final int LONGEST = 1_000;
    /** A key of 256 characters of any script, which was sealed. */
    private static final int LONGEST_AFTER = 4_096;

    private final RequestFields fields;
    private final Clock clock;
    private final List<String> problems = new ArrayList<>();

    /** @param known the names that there are */
    ApiParameters(RequestFields fields, Clock clock, List<String> known) {
        this.fields = fields;
        this.clock = clock;
        for (String name : fields.names()) {
            if (!known.contains(name)) {
                problems.add("parameter '" + Printable.value(name) + "' is not known here; "
                        + (known.isEmpty() ? "leave it out" : "known are: " + String.join(", ", known)));
            } else if (fields.all(name).size() > 1) {
                problems.add(name + " is there " + fields.all(name).size() + " times; give it once");
            }
        }
    }

    /** Refuses the request if a parameter has a problem; to be called when all were read. */
    void check() {
        if (!problems.isEmpty()) {
            throw Refusal.badRequest(problems);
        }
    }

    /** A text; absent if it is not there. An empty one, as of a variable that is not set, is refused (rule S14). */
    @Nullable
    String text(String name) {
        String value = fields.first(name);
        if (value == null) {
            return null;
        }
        int longest = name.equals("after") ? LONGEST_AFTER : LONGEST;
        if (value.isBlank()) {
            problems.add(name + " '" + Printable.value(value)
                    + "' is empty, which selects nothing; leave it out if it is" + " not meant");
        } else if (value.length() > longest) {
            problems.add(
                    name + " '" + Printable.value(value) + "' is longer than " + longest + " characters; shorten it");
        } else {
            return value;
        }
        return null;
    }

    /** The key of a job. It is a parameter and not a part of the path: a key may contain each character, also a slash. */
    String key() {
        String key = text("key");
        if (fields.first("key") == null) {
            problems.add("key is missing; add key=KEY, percent-encoded");
        }
        return key == null ? "" : key;
    }

    /** How many at most. */
    int limit() {
        Integer limit =
                read("limit", Integer::valueOf, "no number from 1 to " + MOST + "; leave it out for " + DEFAULT);
        if (limit != null && (limit < 1 || limit > MOST)) {
            problems.add("limit '" + limit + "' is not within 1 to " + MOST + "; leave it out for " + DEFAULT);
            return DEFAULT;
        }
        return limit == null ? DEFAULT : limit;
    }

    /** Whether a flag is set. */
    boolean flag(String name) {
        Boolean flag = read(
                name,
                text -> Map.of("true", true, "false", false).get(text),
                "neither true nor false; write one of them");
        return flag != null && flag;
    }

    @Nullable
    JobState state() {
        String all = Arrays.stream(JobState.values()).map(JobState::name).collect(Collectors.joining(", "));
        return read(
                "state",
                text -> JobState.valueOf(text.toUpperCase(Locale.ROOT)),
                "no state of a job; write one of " + all);
    }

    /** Of which findings of a forecast; absent = all. */
    Forecast.@Nullable Kind kind() {
        String all =
                Arrays.stream(Forecast.Kind.values()).map(Forecast.Kind::name).collect(Collectors.joining(", "));
        return read(
                "kind",
                text -> Forecast.Kind.valueOf(text.toUpperCase(Locale.ROOT)),
                "no kind of a finding; write one of " + all);
    }

    /** How far a forecast looks ahead. */
    Duration days() {
        String most = Forecaster.LONGEST.toDays() + "d";
        Duration days = read("next", ForecastPage::days, "not within 1d to " + most + "; write 30d, for instance");
        return days == null ? Forecaster.USUAL_WINDOW : days;
    }

    /** How many findings of a forecast were shown before. */
    int skipped() {
        Integer skipped = read(
                "after",
                text -> Integer.parseInt(text) < 0 || Integer.parseInt(text) > MOST_SKIPPED
                        ? null
                        : Integer.valueOf(text),
                "not what next has answered here; leave it out for the first page");
        return skipped == null ? 0 : skipped;
    }

    /** A past moment; a length of time counts back from now. */
    @Nullable
    Instant back(String name) {
        return read(
                name,
                text -> Moments.read(text, clock, -1),
                "no moment; write 2026-05-01T12:00:00Z, 2026-05-01, today, or 24h (ago)");
    }

    /** A moment ahead; a length of time counts from now. */
    @Nullable
    Instant ahead(String name) {
        return read(
                name,
                text -> Moments.read(text, clock, 1),
                "no moment; write 2026-05-01T12:00:00Z, 2026-05-01, or 15m (from now)");
    }

    /** What {@code next} of the page before has answered. */
    @Nullable
    String after(Function<String, @Nullable String> open) {
        return read("after", open, "not what next has answered here; leave it out for the first page");
    }

    private <T> @Nullable T read(String name, Function<String, @Nullable T> reader, String advice) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        T value = null;
        try {
            value = reader.apply(text);
        } catch (RuntimeException unreadable) {
            // reported below
        }
        if (value == null) {
            problems.add(name + " '" + Printable.value(text) + "' is " + advice);
        }
        return value;
    }
}
