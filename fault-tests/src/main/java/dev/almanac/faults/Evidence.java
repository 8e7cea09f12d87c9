package dev.almanac.faults;

import dev.almanac.helper.Execution;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The ledger of what helpers did: appended to by any number of processes, a line for each start and end. */
public final class Evidence {
    private final Path file;
    private final OutputStream stream;

    /** One line. */
    public record Line(String event, String node, String job, long fire, int attempt, long fencing, long at) {
        /** What is to happen once. */
        public String run() {
            return job + " " + fire + " " + attempt;
        }
    }

    /** @param file is created if it is not there */
    public Evidence(Path file) {
        this.file = file;
        try {
            // not a channel, which an interrupt of one run's thread would close for all
            this.stream = new FileOutputStream(file.toFile(), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file. */
    public Path file() {
        return file;
    }

    /** Notes a start or an end, which is now. */
    public void note(String event, String node, Execution execution) {
        note(event, node, execution, System.currentTimeMillis());
    }

    /** @param at when it was, by the clock of this machine */
    public void note(String event, String node, Execution execution, long at) {
        String line = String.join(
                        "\t",
                        event,
                        node,
                        execution.jobSpecificationKey(),
                        String.valueOf(execution.fireTime().toEpochMilli()),
                        String.valueOf(execution.attempt()),
                        String.valueOf(execution.fencingNumber()),
                        String.valueOf(at))
                + "\n";
        append(line);
    }

    void append(String line) {
        try {
            stream.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All lines that are complete. */
    public List<Line> lines() {
        try {
            List<Line> lines = new ArrayList<>();
            for (String text : Files.readAllLines(file)) {
                String[] f = text.split("\t");
                if (f.length == 7) {
                    lines.add(new Line(
                            f[0],
                            f[1],
                            f[2],
                            Long.parseLong(f[3]),
                            Integer.parseInt(f[4]),
                            Long.parseLong(f[5]),
                            Long.parseLong(f[6])));
                }
            }
            // a node that is stopped between the two appends late what happened before
            lines.sort(Comparator.comparingLong(Line::at));
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The starts of each run, in the order of their claims. One may be noted after a later one: a process that is stopped
     * between the last look at its lease and the first line of its helper begins when it goes on, which only the fencing
     * number shows.
     */
    public Map<String, List<Line>> starts() {
        return starts(Line::run);
    }

    /** As {@link #starts()}, of all runs of a job together. */
    public Map<String, List<Line>> startsOfJobs() {
        return starts(Line::job);
    }

    private Map<String, List<Line>> starts(Function<Line, String> of) {
        return lines().stream()
                .filter(line -> line.event().equals("start"))
                .sorted(Comparator.comparingLong(Line::fencing))
                .collect(Collectors.groupingBy(of, LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * The ends of runs that overlap another one that has ended. A run that has no end is not judged: it may have gone on
     * after its lease was lost. What has noted its end has owned its lease from its start until then.
     *
     * @param what of what one run is to go on at a time
     */
    public List<Line> overlaps(Function<Line, String> what) {
        List<Line> overlaps = new ArrayList<>();
        Map<String, Line> open = new HashMap<>();
        Map<String, Long> ended = new HashMap<>();
        for (Line line : lines()) {
            String claim = line.job() + " " + line.fencing();
            if (line.event().equals("start")) {
                open.put(claim, line);
            } else if (line.event().equals("end") && open.containsKey(claim)) {
                if (open.remove(claim).at() < ended.getOrDefault(what.apply(line), 0L)) {
                    overlaps.add(line);
                }
                ended.put(what.apply(line), line.at());
            }
        }
        return overlaps;
    }
}
