package dev.almanac.time;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Reads the tables of cases in {@code src/test/resources/time}. */
final class Vectors {
    private Vectors() {}

    static List<Map<String, String>> read(String name) {
        try (InputStream in = Objects.requireNonNull(Vectors.class.getResourceAsStream("/time/" + name), name)) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            String[] columns = lines.get(0).split("\t");
            List<Map<String, String>> rows = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] cells = line.split("\t", -1);
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < columns.length; i++) {
                    row.put(columns[i], i < cells.length ? cells[i].replace("<empty>", "") : "");
                }
                rows.add(row);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CronDialect dialect(String text) {
        return CronDialect.valueOf(text.toUpperCase(Locale.ROOT));
    }

    static Instant instant(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    static List<String> instants(String text) {
        return Arrays.stream(text.split(","))
                .map(part -> part.equals("none") ? part : instant(part).toString())
                .toList();
    }

    /** As many fires as expected, {@code none} where they end. */
    static List<String> fires(Instant from, int count, Function<Instant, Optional<Instant>> next) {
        List<String> fires = new ArrayList<>();
        Instant at = from;
        while (fires.size() < count) {
            Optional<Instant> fire = next.apply(at);
            if (fire.isEmpty()) {
                fires.add("none");
                break;
            }
            at = fire.get();
            fires.add(at.toString());
        }
        return fires;
    }
}
