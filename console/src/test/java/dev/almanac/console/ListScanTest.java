package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.Job;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a list does when few of many jobs are asked for. */
class ListScanTest {
    private record Note() implements SchedulingCommand {}

    private static final JobQuery RARE = new JobQuery(null, "rare", null, null, null, null, null, null, null, 2);

    private final StringWriter text = new StringWriter();
    private final Output out =
            new Output(new ProcessEnvironment(new PrintWriter(text), new PrintWriter(text), Map.of(), false));
    private final Scheduler scheduler = Scheduler.builder()
            .store(new InMemoryJobStore(TimeSource.system()))
            .command("note", 1, Note.class)
            .build();
    private final List<String> found = new ArrayList<>();

    /** Ten jobs, a to j; c, h, i and j are rare. */
    @BeforeEach
    void fill() {
        for (String key : List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")) {
            scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey(key)
                    .jobRequestor("test")
                    .triggerCommand(new Note())
                    .triggerIdentifier(key)
                    .tags("chij".contains(key) ? Set.of("rare") : Set.of())
                    .singleSchedule(Instant.parse("2100-01-01T00:00:00Z"))
                    .build());
        }
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private ListScan walk(JobQuery query, boolean all, Duration patience) {
        ListScan walk = new ListScan(scheduler, out, all, 4, patience);
        walk.go(
                query,
                page -> page.jobs().stream()
                        .map(Job::specification)
                        .forEach(job -> found.add(job.jobSpecificationKey())));
        walk.print();
        return walk;
    }

    private String told() {
        out.out().flush();
        return text.toString();
    }

    @Test
    @DisplayName("8: a page whose moment is over says what it has looked at, what it found, and how to go on")
    void moment() {
        assertThat(walk(RARE, false, Duration.ZERO).next()).isEqualTo("d");
        assertThat(found).containsExactly("c");
        assertThat(told()).isEqualTo("examined 4 jobs, 1 requested; for the next page add --after 'd', or --all\n");
    }

    @Test
    @DisplayName("8: a page that found none does not say that there are none")
    void none() {
        assertThat(walk(RARE.after("c"), false, Duration.ZERO).next()).isEqualTo("g");
        assertThat(told()).isEqualTo("examined 4 jobs, none requested; for the next page add --after 'g', or --all\n");
    }

    @Test
    @DisplayName("8: with time left a page is filled from window after window, to its limit and not beyond")
    void filled() {
        assertThat(walk(RARE, false, Duration.ofMinutes(1)).next()).isEqualTo("h");
        assertThat(found).containsExactly("c", "h");
        assertThat(told()).isEqualTo("more follow: add --after 'h', or --all\n");
    }

    @Test
    @DisplayName("8: once the reader of the answer has ended, no further page is read; while it reads, all are")
    void readerHasEnded() {
        Writer ended = new FilterWriter(Writer.nullWriter()) {
            @Override
            public void flush() throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        for (Writer reader : List.of(ended, new StringWriter())) {
            PrintWriter answer = new PrintWriter(reader);
            Output own = new Output(new ProcessEnvironment(answer, new PrintWriter(text), Map.of(), false));
            List<String> pages = new ArrayList<>();
            new ListScan(scheduler, own, true, 4, Duration.ZERO).go(RARE, page -> {
                pages.add(String.valueOf(page.lastKey()));
                answer.println(pages);
            });
            assertThat(pages).hasSize(reader == ended ? 1 : 3);
        }
    }

    @Test
    @DisplayName("8: a page that ends because its jobs are large has not examined its window")
    void large() {
        Scheduler large = (Scheduler) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Scheduler.class},
                (proxy, method, arguments) ->
                        new JobPage(scheduler.listJobs(JobQuery.all().limit(2)).jobs(), List.of(), "b", false));
        ListScan scan = new ListScan(large, out, false, 50_000, Duration.ZERO);
        scan.go(RARE.limit(9), page -> {});
        scan.print();
        assertThat(told()).isEqualTo("more follow: add --after 'b', or --all\n");
    }

    @Test
    @DisplayName("8: at the last job a page says no more, or that there are none")
    void end() {
        assertThat(walk(RARE.after("h"), false, Duration.ZERO).next()).isNull();
        assertThat(found).containsExactly("i", "j");
        assertThat(told()).isEmpty();
        assertThat(walk(RARE.after("j"), false, Duration.ZERO).next()).isNull();
        assertThat(told()).isEqualTo("no jobs\n");
    }

    @Test
    @DisplayName("8: --all goes on to the last job, however long it takes")
    void all() {
        assertThat(walk(RARE, true, Duration.ZERO).next()).isNull();
        assertThat(found).containsExactly("c", "h", "i", "j");
        assertThat(told()).isEmpty();
    }

    @Test
    @DisplayName("M5: a list that ends between two finished jobs of one key prints a place that a shell passes on")
    void withinAKey() {
        for (int i = 0; i < 3; i++) {
            scheduler.cancelJob("a");
            scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey("a")
                    .jobRequestor("test")
                    .triggerCommand(new Note())
                    .triggerIdentifier("a")
                    .singleSchedule(Instant.parse("2100-01-01T00:00:00Z"))
                    .build());
        }
        JobQuery canceled = JobQuery.all().state(JobState.CANCELED).limit(2);
        ListScan scan = walk(canceled, false, Duration.ZERO);
        String next = String.valueOf(scan.next());
        assertThat(told().strip()).isEqualTo("more follow: add --after $'" + next.replace("\t", "\\t") + "', or --all");
        walk(canceled.after(next), false, Duration.ZERO);
        assertThat(found).containsExactly("a", "a", "a");
    }
}
