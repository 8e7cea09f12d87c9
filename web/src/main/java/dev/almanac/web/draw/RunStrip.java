package dev.almanac.web.draw;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.text.Printable;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The runs in the stored rows of a job, on a time axis, with a lane for each node.
 *
 * @param lanes from top to bottom
 * @param marks of runs, within {@value #WIDTH} and the height of the lanes
 * @param labels along the axis
 * @param since the earliest moment shown
 */
public record RunStrip(List<Lane> lanes, List<Mark> marks, List<Label> labels, Instant since) {
    /** Width of the drawing. */
    public static final int WIDTH = 900;
    /** Height of a lane. */
    public static final int LANE = 26;

    private static final int MOST_LANES = 8;
    private static final String NO_NODE = "no node";
    private static final int LABELS = 5;
    private static final double DAY_MILLIS = 86_400_000;
    private static final double NARROWEST = 5;

    /** A node, the rows without a node, or all nodes beyond the first ones. */
    public record Lane(String name, int y) {}

    /**
     * One run, or one row without a run.
     *
     * @param x where it started
     * @param width until its end
     * @param delay length of the line from its planned moment to its start
     * @param tone good, warn, bad, open or quiet
     * @param late whether it was late
     * @param title what it is, in words
     */
    public record Mark(double x, double width, double delay, int y, String tone, boolean late, String title) {}

    /** A moment of the axis. */
    public record Label(double x, String text, String anchor) {}

    /** Height of all lanes. */
    public int height() {
        return lanes.size() * LANE;
    }

    /**
     * A run in progress, which grows up to now.
     *
     * @param node the id of its node
     */
    public record Open(Instant begun, String node, String title) {}

    /** What is drawn of a row, or of the run in progress. */
    private record Span(
            Instant planned, Instant start, Instant end, String lane, String tone, boolean late, String title) {}

    /**
     * The strip of these rows; absent if none of them is about a run, and none is in progress.
     *
     * @param rows newest first
     * @param open the run in progress; absent = none
     * @param label the label of the node of an id
     */
    public static @Nullable RunStrip of(
            List<JobExecutionStatus> rows, @Nullable Open open, Clock clock, UnaryOperator<String> label) {
        List<Span> spans = new ArrayList<>();
        if (open != null) {
            spans.add(new Span(open.begun(), open.begun(), clock.now(), open.node(), "open", false, open.title()));
        }
        rows.stream().filter(RunStrip::isShown).map(row -> span(row, clock)).forEach(spans::add);
        if (spans.isEmpty()) {
            return null;
        }
        List<String> names = spans.stream().map(Span::lane).distinct().toList();
        // the last lane is for all further nodes
        int own = names.size() > MOST_LANES ? MOST_LANES - 1 : names.size();
        Instant from = spans.stream().map(Span::planned).min(Instant::compareTo).orElseThrow();
        Instant until = spans.get(0).end();
        double millis = Math.max(1_000, Duration.between(from, until).toMillis());
        List<Mark> marks = spans.stream()
                .map(span -> mark(span, from, millis, Math.min(names.indexOf(span.lane()), own) * LANE))
                .toList();
        return new RunStrip(lanes(names, own, label), marks, labels(from, millis, clock), from);
    }

    private static List<Lane> lanes(List<String> names, int own, UnaryOperator<String> label) {
        List<Lane> lanes = new ArrayList<>();
        for (String name : names.subList(0, own)) {
            lanes.add(new Lane(name.equals(NO_NODE) ? NO_NODE : label.apply(name), lanes.size() * LANE));
        }
        if (names.size() > own) {
            lanes.add(new Lane((names.size() - own) + " more", own * LANE));
        }
        return lanes;
    }

    private static boolean isShown(JobExecutionStatus row) {
        return row.startedTime() != null || row.outcome() == Outcome.MISSED || row.outcome() == Outcome.ABANDONED;
    }

    private static String lane(JobExecutionStatus row) {
        return row.node() == null || row.outcome() == Outcome.MISSED ? NO_NODE : row.node();
    }

    private static Instant begin(JobExecutionStatus row) {
        Instant started = row.startedTime() == null ? row.updatedTime() : row.startedTime();
        Instant planned = row.fireTime();
        return planned != null && planned.isBefore(started) ? planned : started;
    }

    private static Span span(JobExecutionStatus row, Clock clock) {
        Instant started = row.startedTime() == null ? row.updatedTime() : row.startedTime();
        return new Span(
                begin(row), started, row.updatedTime(), lane(row), tone(row.outcome()), row.late(), title(row, clock));
    }

    private static Mark mark(Span span, Instant from, double millis, int y) {
        double x = place(span.start(), from, millis);
        double planned = place(span.planned(), from, millis);
        double width = Math.max(NARROWEST, place(span.end(), from, millis) - x);
        double left = Math.min(x, WIDTH - width);
        return new Mark(left, width, Math.max(0, left - planned), y, span.tone(), span.late(), span.title());
    }

    private static double place(Instant at, Instant from, double millis) {
        return Math.max(0, Math.min(WIDTH, Duration.between(from, at).toMillis() / millis * WIDTH));
    }

    private static String tone(Outcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> "good";
            case ATTEMPT_FAILED, ABANDONED, MISSED -> "warn";
            case RETRIES_EXHAUSTED, NON_RETRYABLE, CRASHED, EXPIRED, FAILURE_UNDELIVERED -> "bad";
            default -> "quiet";
        };
    }

    private static String title(JobExecutionStatus row, Clock clock) {
        StringBuilder text = new StringBuilder(Printable.words(row.outcome()));
        if (row.fireTime() != null) {
            text.append(", planned ").append(clock.exactly(row.fireTime()));
        }
        if (row.startedTime() != null) {
            text.append(", started ").append(clock.exactly(row.startedTime()));
            text.append(", took ").append(Clock.length(Duration.between(row.startedTime(), row.updatedTime())));
        }
        if (row.attempt() > 1) {
            text.append(", attempt ").append(row.attempt());
        }
        if (row.late()) {
            text.append(", late");
        }
        return row.manual() ? text + ", requested by a user" : text.toString();
    }

    static List<Label> labels(Instant from, double millis, Clock clock) {
        List<Label> labels = new ArrayList<>();
        for (int i = 0; i < LABELS; i++) {
            double part = (double) i / (LABELS - 1);
            String at = clock.at(from.plusMillis((long) (millis * part)));
            String anchor = i == 0 ? "start" : i == LABELS - 1 ? "end" : "middle";
            String text = millis < DAY_MILLIS ? at.substring(11) : at.substring(5, 16);
            // on a short strip several are of the same second
            if (labels.isEmpty() || !labels.get(labels.size() - 1).text().equals(text)) {
                labels.add(new Label(part * WIDTH, text, anchor));
            }
        }
        return labels;
    }
}
