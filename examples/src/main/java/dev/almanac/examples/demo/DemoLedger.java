package dev.almanac.examples.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the ledger that the nodes write, and counts its lines. */
final class DemoLedger {
    private final Path file;

    DemoLedger(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    List<LedgerLine> lines() {
        try {
            List<LedgerLine> lines = new ArrayList<>();
            for (String text : Files.readAllLines(file)) {
                if (text.split("\t").length == 8) {
                    lines.add(LedgerLine.parse(text));
                }
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The starts of each attempt of each fire, in the order in which they came. */
    static Map<String, List<LedgerLine>> starts(List<LedgerLine> lines) {
        Map<String, List<LedgerLine>> starts = new LinkedHashMap<>();
        lines.stream()
                .filter(line -> line.event().equals("start"))
                .forEach(line -> starts.computeIfAbsent(line.run(), run -> new ArrayList<>())
                        .add(line));
        return starts;
    }

    /** The last starts of the settlements that have not ended yet. */
    static Map<String, LedgerLine> openSettlements(List<LedgerLine> lines) {
        Map<String, LedgerLine> open = new LinkedHashMap<>();
        for (LedgerLine line : lines) {
            if (line.event().equals("end")) {
                open.remove(line.run());
            } else if (line.job().startsWith("settlement")) {
                open.put(line.run(), line);
            }
        }
        return open;
    }

    /** How many different fires of a job were started. */
    static long fires(List<LedgerLine> lines, String job) {
        return lines.stream()
                .filter(line -> line.event().equals("start") && line.job().equals(job))
                .mapToLong(LedgerLine::fire)
                .distinct()
                .count();
    }
}
