package dev.almanac.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceTest {
    private Evidence evidence;

    @BeforeEach
    void create(@TempDir Path folder) {
        evidence = new Evidence(folder.resolve("evidence.tsv"));
    }

    static String line(String event, String job, long fire, long fencing, long at) {
        return String.join(
                        "\t",
                        event,
                        "node-" + fencing,
                        job,
                        String.valueOf(fire),
                        "1",
                        String.valueOf(fencing),
                        String.valueOf(at))
                + "\n";
    }

    private void note(String... lines) throws IOException {
        Files.writeString(evidence.file(), String.join("", lines));
    }

    @Test
    @DisplayName("starts are in the order of their claims, whenever they were noted")
    void starts() throws IOException {
        note(line("start", "k", 10, 2, 100), line("end", "k", 10, 2, 101), line("start", "k", 10, 1, 105));
        assertThat(evidence.starts().get("k 10 1"))
                .extracting(Evidence.Line::fencing)
                .containsExactly(1L, 2L);
        note(line("start", "k", 20, 3, 100), line("start", "k", 10, 1, 105), line("start", "k", 10, 2, 103));
        assertThat(evidence.starts().values()).extracting(List::size).containsExactly(2, 1);
        assertThat(evidence.startsOfJobs().get("k"))
                .extracting(Evidence.Line::fencing)
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    @DisplayName(
            "a thread that is interrupted, as that of a run that has lost its lease is, notes its line like others")
    void interrupted() {
        Thread.currentThread().interrupt();
        try {
            evidence.append(line("start", "k", 10, 1, 100));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        evidence.append(line("refused", "k", 10, 1, 105));
        assertThat(evidence.lines()).extracting(Evidence.Line::event).containsExactly("start", "refused");
    }

    private List<Long> ends() {
        return evidence.overlaps(line -> line.job().split("-")[0]).stream()
                .map(Evidence.Line::fencing)
                .toList();
    }

    @Test
    @DisplayName("a run overlaps another one of its kind if it started before the end of that")
    void overlaps() throws IOException {
        String[] first = {line("start", "g-1", 10, 1, 100), line("end", "g-1", 10, 1, 200)};
        note(first[0], first[1], line("start", "g-2", 10, 2, 200), line("end", "g-2", 10, 2, 300));
        assertThat(ends()).as("one after the other").isEmpty();
        note(first[0], first[1], line("start", "h-2", 10, 2, 150), line("end", "h-2", 10, 2, 300));
        assertThat(ends()).as("of two kinds").isEmpty();
        note(first[0], first[1], line("start", "g-2", 10, 2, 150), line("end", "g-2", 10, 2, 300));
        assertThat(ends()).containsExactly(2L);
        note(first[0], line("start", "g-2", 10, 2, 150), line("refused", "g-2", 10, 2, 160), first[1]);
        assertThat(ends()).as("one has lost its lease").isEmpty();
        note(
                first[0],
                line("start", "g-2", 10, 2, 150),
                line("start", "g-3", 10, 3, 160),
                line("end", "g-3", 10, 3, 161),
                first[1]);
        assertThat(ends()).as("another line of the kind hides nothing").containsExactly(1L);
    }
}
