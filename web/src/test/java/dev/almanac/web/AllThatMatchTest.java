package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.Scheduler;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.MongoServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An action on all jobs that match a filter: more than a page, counted before, and not carried out if the count differs. */
class AllThatMatchTest {
    private static final Set<String> WRITES = Set.of("findAndModify", "update", "bulkWrite", "insert");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Scheduler scheduler = fixture.scheduler;
    private final AtomicReference<Viewer> viewer = new AtomicReference<>(Viewer.operator("ann"));
    private MountedConsole console;

    @BeforeEach
    void fill() {
        jobs("night", 0, 120, "ledger");
        jobs("day", 0, 1, "ledger");
        console = fixture.mount(fixture.console().allowChanges(true).access(request -> Optional.of(viewer.get())));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void jobs(String tag, int from, int until, String application) {
        scheduler.scheduleJobs(IntStream.range(from, until)
                .mapToObj(i -> JobSpecification.builder()
                        .jobSpecificationKey(tag + "-" + (1_000 + i))
                        .jobRequestor("treasury")
                        .applicationTag(application)
                        .tags(tag)
                        .triggerCommand(new EncodedCommand("book", 1, Map.of()))
                        .triggerIdentifier("id")
                        .singleSchedule(Instant.now().plusSeconds(36_000))
                        .build())
                .toList());
    }

    private List<Job> tagged(String tag) {
        return scheduler
                .listJobs(new JobQuery(null, tag, null, null, null, null, null, null, null, 1_000))
                .jobs();
    }

    private long paused(String tag) {
        return tagged(tag).stream().filter(job -> job.pause() != null).count();
    }

    private Visitor previews(String filter, String action) {
        Visitor visitor = new Visitor(console).open("/jobs?" + filter);
        return visitor.send(visitor.form("name=\"all\"").with("do", action));
    }

    /** Confirms what is previewed; returns the address of the result once that is complete. */
    private String carriedOut(Visitor visitor, Visitor.Form form) {
        HttpResponse<String> answer = visitor.answer(form);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        String result = answer.headers().firstValue("Location").orElseThrow().substring(MountedConsole.PATH.length());
        await().atMost(Browser.PATIENCE)
                .until(() -> !visitor.open(result).body().contains("In progress"));
        return result;
    }

    @Test
    @DisplayName("40: a state may be typed in lower case: form, next page and action on all that match have its name")
    void stateInLowerCase() {
        scheduler.pause(PauseScope.tag("night"), Pause.because("audit"));
        for (String state : List.of("paused", "PAUSED", "Paused")) {
            assertThat(console.get("/jobs?state=" + state).body())
                    .as(state)
                    .contains("night-1000", "<option value=\"PAUSED\" selected>", "?state=PAUSED&amp;after=")
                    .contains("name=\"filter\" value=\"state=PAUSED\"", "<bdi>state=PAUSED</bdi>")
                    .doesNotContain("day-1000");
        }
        assertThat(console.get("/jobs?tag=day").body())
                .contains("day-1000")
                .doesNotContainPattern("<option value=\"[A-Z]+\" selected>");
        assertThat(console.get("/jobs?state=pause").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("40: all jobs of a filter are counted, and the effect on the first is shown, before anything is done")
    void preview() {
        Visitor visitor = previews("tag=night", "PAUSE");
        assertThat(visitor.body())
                .contains("Nothing has been done yet", "Pause 120 jobs", "120 jobs match", "tag=night")
                .contains("night-1000", "will change")
                .doesNotContain("day-1000");
        assertThat(paused("night")).isZero();
    }

    @Test
    @DisplayName("40: the action is carried out on all of them, with one reason, and the result counts them")
    void carriedOut() {
        scheduler.apply(JobAction.pause(new Pause("earlier", "bob", null)), JobSelection.keys("day-1000"), false);
        Visitor visitor = previews("tag=night", "PAUSE");
        carriedOut(visitor, visitor.confirmation("CR-1"));
        assertThat(visitor.body()).contains("What was done", "120 of 120", "CR-1", "ann", "tag=night");
        assertThat(tagged("night"))
                .hasSize(120)
                .allMatch(job -> Objects.equals(job.pause(), new Pause("CR-1", "ann", null)));
        assertThat(tagged("day"))
                .allMatch(job -> Objects.requireNonNull(job.pause()).reason().equals("earlier"));
    }

    @Test
    @DisplayName("40: if another number of jobs matches than was expected, nothing is done, and the page says so")
    void anotherCount() {
        Visitor visitor = previews("tag=night", "CANCEL");
        jobs("night", 120, 121, "ledger");
        carriedOut(visitor, visitor.confirmation("CR-2"));
        assertThat(visitor.body())
                .contains("Nothing was done", "121 jobs match now", "120 were expected")
                .doesNotContain("What was done");
        assertThat(tagged("night")).hasSize(121);
    }

    @Test
    @DisplayName("40: if as many jobs match as were expected, but not the same ones, nothing is done")
    void otherJobs() {
        Visitor visitor = previews("tag=night", "CANCEL");
        scheduler.cancelJob("night-1000");
        jobs("night", 120, 121, "ledger");
        carriedOut(visitor, visitor.confirmation("CR-2"));
        assertThat(visitor.body())
                .contains("Nothing was done", "other jobs match now")
                .doesNotContain("What was done");
        assertThat(tagged("night")).hasSize(120);
    }

    @Test
    @DisplayName(
            "40 S19: a row since the preview that is no failure, as of an attempt, hinders no acknowledgement of all")
    void acknowledged() {
        var jobs = fixture.client().getDatabase(fixture.database()).getCollection("jobSpecification");
        jobs.updateMany(Filters.eq("tags", "night"), Updates.set("failuresInARow", 1));
        Visitor visitor = previews("tag=night", "ACKNOWLEDGE");
        Visitor.Form confirmation = visitor.confirmation("CR-2");
        Date later = Date.from(Instant.now().plusSeconds(60));
        jobs.updateOne(Filters.eq("jobSpecificationKey", "night-1003"), Updates.set("lastStatus.updatedTime", later));
        carriedOut(visitor, confirmation);
        assertThat(visitor.body()).contains("120 of 120").doesNotContain("Nothing was done");
        Visitor another = previews("tag=night", "ACKNOWLEDGE");
        assertThat(another.answer(another.confirmation("CR-3").without("seen")).statusCode())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("40 S18 S19: if a pause or a failure of one of the jobs is another one, none of them is resumed")
    void resumed() {
        scheduler.apply(
                JobAction.pause(new Pause("audit", "bob", null)), JobSelection.keys("night-1000", "night-1001"));
        var jobs = fixture.client().getDatabase(fixture.database()).getCollection("jobSpecification");
        Visitor visitor = previews("tag=night", "RESUME");
        jobs.updateOne(
                Filters.eq("jobSpecificationKey", "night-1000"), Updates.set("paused.author", "pauseAfterFailures"));
        carriedOut(visitor, visitor.confirmation("CR-2"));
        assertThat(visitor.body()).contains("Nothing was done", "changed since the preview");
        visitor = previews("tag=night", "RESUME");
        jobs.updateOne(Filters.eq("jobSpecificationKey", "night-1001"), Updates.set("failuresInARow", 1));
        carriedOut(visitor, visitor.confirmation("CR-3"));
        assertThat(visitor.body()).contains("Nothing was done", "changed since the preview");
        assertThat(paused("night")).isEqualTo(2);
        visitor = previews("tag=night", "RESUME");
        carriedOut(visitor, visitor.confirmation("CR-4"));
        assertThat(visitor.body()).contains("2 of 120");
        assertThat(paused("night")).isZero();
    }

    private void changedByBob(String key) {
        scheduler.as("bob", "CR-9").apply(JobAction.update(edit -> edit.priority(1)), JobSelection.keys(key));
    }

    private int priority(String key) {
        return scheduler.findJobById(key).orElseThrow().specification().priority();
    }

    private static Visitor withPriority(Visitor visitor) {
        return visitor.send(
                visitor.form("name=\"confirmed\"").with("priority", "2").with("confirmed", "no"));
    }

    @Test
    @DisplayName("40: if another user has changed one of the jobs since the preview, nothing is done")
    void changedSince() {
        Visitor visitor = withPriority(previews("tag=night", "UPDATE"));
        changedByBob("night-1003");
        carriedOut(visitor, visitor.confirmation("CR-5"));
        assertThat(visitor.body()).contains("Nothing was done", "changed").doesNotContain("What was done");
        assertThat(priority("night-1003")).isEqualTo(1);
        assertThat(priority("night-1004")).isEqualTo(4);
    }

    @Test
    @DisplayName("40: a job that another user changes while the action goes on is left as it is, and listed as refused")
    void changedMeanwhile() {
        AtomicBoolean begins = new AtomicBoolean();
        CommandListener first = new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                // the second part of the jobs is read after the first one was written
                if (WRITES.contains(event.getCommandName()) && begins.getAndSet(false)) {
                    changedByBob("night-1110");
                }
            }
        };
        try (MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoServer.shared().uri()))
                .addCommandListener(first)
                .build())) {
            console = fixture.mount(fixture.console()
                    .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(fixture.database())))
                    .allowChanges(true)
                    .access(request -> Optional.of(viewer.get())));
            Visitor visitor = withPriority(previews("tag=night", "UPDATE"));
            begins.set(true);
            carriedOut(visitor, visitor.confirmation("CR-5"));
            assertThat(visitor.body()).contains("119 of 120", "night-1110", "changed since the preview", "bob");
            assertThat(priority("night-1110")).isEqualTo(1);
            assertThat(priority("night-1111")).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("40: a reason is required, and a confirmation without a preview of this console changes nothing")
    void unconfirmed() {
        Visitor visitor = previews("tag=night", "PAUSE");
        visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes"));
        assertThat(visitor.body()).contains("A reason is required", "Nothing has been done yet");
        visitor.send(visitor.confirmation("CR-3").with("operation", "A".repeat(80)));
        assertThat(visitor.body()).contains("Nothing has been done yet").doesNotContain("What was done");
        visitor.send(visitor.confirmation("CR-3").without("expected"));
        assertThat(visitor.status()).isEqualTo(400);
        assertThat(paused("night")).isZero();
    }

    @Test
    @DisplayName("40: a form that is sent twice is carried out once")
    void twice() {
        Visitor visitor = previews("tag=night", "PAUSE");
        Visitor.Form form = visitor.confirmation("CR-4");
        String first = carriedOut(visitor, form);
        scheduler.apply(JobAction.resume(), JobSelection.keys("night-1000"), false);
        assertThat(carriedOut(visitor, form)).isEqualTo(first);
        assertThat(paused("night")).isEqualTo(119);
    }

    @Test
    @DisplayName("40: a change of fields of all jobs is previewed with its values, and carried out as previewed")
    void change() {
        Visitor visitor = previews("tag=night", "UPDATE");
        visitor.send(visitor.form("name=\"confirmed\"").with("priority", "2").with("confirmed", "no"));
        assertThat(visitor.body()).contains("priority: 4 -&gt; 2");
        visitor.send(visitor.confirmation("CR-5").with("priority", "1"));
        assertThat(visitor.body()).contains("not the values of the last preview");
        carriedOut(visitor, visitor.confirmation("CR-5"));
        assertThat(tagged("night")).allMatch(job -> job.specification().priority() == 1);
    }

    @Test
    @DisplayName("40: the result lists what was refused, and can be kept as a file")
    void kept() {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("jobSpecificationKey", "night-1007"), Updates.set("claimSeq", "many"));
        scheduler.apply(JobAction.pause(new Pause("x", "bob", null)), JobSelection.keys("night-1000"), false);
        Visitor visitor = previews("tag=night", "RESUME");
        String result = carriedOut(visitor, visitor.confirmation("CR-6"));
        assertThat(visitor.body()).contains("1 of 120", "night-1007", "refused").doesNotContain("night-1008");
        HttpResponse<String> file = console.get(result + "&as=json");
        assertThat(file.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/json");
        assertThat(file.headers().firstValue("Content-Disposition").orElseThrow())
                .startsWith("attachment");
        assertThat(file.body())
                .contains("\"action\":\"RESUME\"", "\"filter\":{\"tag\":\"night\"}", "\"author\":\"ann\"")
                .contains("\"reason\":\"CR-6\"", "\"expected\":120", "\"done\":1", "\"unchanged\":118", "\"refused\":1")
                .contains("night-1007");
    }

    @Test
    @DisplayName("40: a result is kept for an hour from the end of the action, however old its preview is by then")
    void hourOfResult() {
        AtomicLong nanos = new AtomicLong();
        console = fixture.mount(
                fixture.console().allowChanges(true).nanos(nanos::get).access(request -> Optional.of(viewer.get())));
        Visitor visitor = previews("tag=night", "PAUSE");
        nanos.addAndGet(Duration.ofMinutes(50).toNanos());
        String result = carriedOut(visitor, visitor.confirmation("CR-9"));
        nanos.addAndGet(Duration.ofMinutes(59).toNanos());
        assertThat(visitor.open(result).body()).contains("120 of 120");
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(visitor.open(result).status()).isEqualTo(404);
    }

    @Test
    @DisplayName(
            "40: a preview counts for ten seconds; what is not counted by then is not acted on, and the page says so")
    void longCount() {
        jobs("bulk", 0, 1_100, "ledger");
        AtomicLong nanos = new AtomicLong();
        console = fixture.mount(fixture.console()
                .allowChanges(true)
                .nanos(() -> nanos.addAndGet(Duration.ofSeconds(11).toNanos()))
                .access(request -> Optional.of(viewer.get())));
        assertThat(previews("prefix=bulk", "PAUSE").body())
                .contains("were not counted within 10 s", "further filters")
                .doesNotContain("name=\"confirmed\"");
        assertThat(previews("prefix=night", "PAUSE").body()).contains("Pause 120 jobs", "name=\"confirmed\"");
    }

    @Test
    @DisplayName("40: only jobs that the viewer may see are counted, and only those that it may change are changed")
    void rights() {
        jobs("night", 120, 130, "payments");
        Applications ledger = Applications.of("ledger");
        viewer.set(new Viewer("lea", ledger, ledger, ledger, ledger));
        Visitor visitor = previews("prefix=night", "PAUSE");
        assertThat(visitor.body()).contains("Pause 120 jobs");
        carriedOut(visitor, visitor.confirmation("CR-7"));
        assertThat(paused("night")).isEqualTo(120);
        viewer.set(new Viewer("lea", Applications.ALL, ledger, ledger, ledger));
        visitor = previews("prefix=night", "CANCEL");
        assertThat(visitor.body()).contains("Cancel 130 jobs");
        carriedOut(visitor, visitor.confirmation("CR-8"));
        assertThat(visitor.body()).contains("120 of 130", "night-1125", "is no job that you may change");
        assertThat(tagged("night")).hasSize(10);
    }

    @Test
    @DisplayName("40: without a filter, or the right to change, there is no action on all jobs")
    void without() {
        Visitor visitor = new Visitor(console).open("/jobs?tag=night");
        Visitor.Form form = visitor.form("name=\"all\"").with("do", "CANCEL");
        assertThat(visitor.open("/jobs").body()).doesNotContain("name=\"all\"");
        visitor.send(form.with("filter", ""));
        assertThat(visitor.status()).isEqualTo(400);
        viewer.set(Viewer.reader("rob"));
        assertThat(visitor.open("/jobs?tag=night").body()).doesNotContain("name=\"all\"");
        visitor.send(form.with("filter", "tag=night"));
        assertThat(visitor.status()).isEqualTo(403);
    }
}
