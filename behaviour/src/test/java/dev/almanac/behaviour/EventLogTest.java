package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.calendars.Calendars;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the log says at INFO (rule A4). */
class EventLogTest {
    private final World world = new World(0, time -> new InMemoryJobStore(time));
    private final Logger almanac = (Logger) LoggerFactory.getLogger("almanac");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent line) {
            line.prepareForDeferredProcessing();
            super.append(line);
        }
    };

    @BeforeEach
    void listen() {
        lines.start();
        almanac.setLevel(Level.INFO);
        almanac.addAppender(lines);
    }

    @AfterEach
    void leave() {
        almanac.detachAppender(lines);
        almanac.setLevel(null);
    }

    private List<ILoggingEvent> of(String kind) {
        return lines.list.stream()
                .filter(line -> line.getLoggerName().equals("almanac." + kind))
                .toList();
    }

    private void broken() {
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("the bank\nis closed"));
    }

    @Test
    @DisplayName(
            "A4: a failed attempt is reported with its next try, a failure for good with its stack; a good run is not")
    void failures() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("good").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(3));
        assertThat(lines.list)
                .allSatisfy(line -> assertThat(line.getLoggerName()).isEqualTo("almanac.node"));
        broken();
        a.scheduler()
                .scheduleJob(job("pay")
                        .singleSchedule(START.plusSeconds(10))
                        .retryPolicy("R1/PT1M")
                        .build());
        world.pass(Duration.ofSeconds(10));
        assertThat(of("attempts")).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .isEqualTo("job 'pay' has failed in attempt 1 with java.lang.IllegalStateException: the bank;"
                            + " the next try follows at " + START.plusSeconds(70));
            assertThat(line.getMDCPropertyMap()).containsEntry("job", "pay");
        });
        assertThat(of("failures")).isEmpty();
        world.pass(Duration.ofMinutes(2));
        assertThat(of("failures"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.getLevel()).isEqualTo(Level.ERROR));
        assertThat(of("failures").get(0).getFormattedMessage())
                .contains("pay", "RETRIES_EXHAUSTED", "the bank")
                .doesNotContain("no retry policy");
        assertThat(of("failures").get(1).getFormattedMessage()).contains("\tat ");
    }

    @Test
    @DisplayName("A4, R5: a failure of a job without a retry policy says so, in its line and on its row")
    void noRetryPolicy() {
        Machine a = world.node("a");
        broken();
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(3));
        assertThat(of("failures").get(0).getFormattedMessage())
                .isEqualTo("job 'pay' has failed for good in its fire of " + START.plusSeconds(1)
                        + " as RETRIES_EXHAUSTED with java.lang.IllegalStateException: the bank; no retry policy");
        assertThat(a.scheduler().history("pay").get(0).detail()).isEqualTo("no retry policy");
    }

    @Test
    @DisplayName("A4, R5: one whose retries are used up, or that shall not be tried again, does not blame the policy")
    void retryPolicyInVain() {
        Machine a = world.node("a");
        broken();
        a.scheduler()
                .scheduleJob(job("tried")
                        .singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R1/PT1S")
                        .build());
        world.pass(Duration.ofSeconds(10));
        world.work = call -> CompletableFuture.failedFuture(new NonRetryableException("never"));
        a.scheduler()
                .scheduleJob(job("never").singleSchedule(START.plusSeconds(20)).build());
        world.pass(Duration.ofSeconds(20));
        for (String key : List.of("tried", "never")) {
            assertThat(a.scheduler().history(key).get(0).executionStatus()).isEqualTo(ExecutionStatus.FAILED);
            assertThat(a.scheduler().history(key).get(0).detail()).isNull();
        }
        assertThat(of("failures")).noneMatch(line -> line.getFormattedMessage().contains("no retry policy"));
    }

    @Test
    @DisplayName("A4: at DEBUG the stack of a failed attempt follows its line; at INFO it does not")
    void stacks() {
        Machine a = world.node("a");
        broken();
        a.scheduler()
                .scheduleJob(job("pay")
                        .singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R2/PT1M")
                        .build());
        world.pass(Duration.ofSeconds(3));
        assertThat(of("attempts"))
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).doesNotContain("\tat "));
        almanac.setLevel(Level.DEBUG);
        world.pass(Duration.ofMinutes(1));
        assertThat(of("attempts"))
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.WARN, Level.DEBUG);
        assertThat(of("attempts").get(2).getFormattedMessage()).contains("IllegalStateException", "\tat ");
    }

    @Test
    @DisplayName("A4: requests of users are logged with author and reason; what is only scheduled is not, at INFO")
    void requests() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(definition -> Calendars.cron("0 0 0 1 1 ?")));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 0 1 1 ?").build());
        world.pass(Duration.ZERO);
        assertThat(of("requests")).isEmpty();
        a.scheduler().as("ann", "CR-17").pause(PauseScope.job("j"), Pause.because("audit"));
        a.scheduler().as("ann", "CR-18").resume(PauseScope.job("j"));
        a.scheduler()
                .as("ann", "CR-20")
                .updateJob(job("j").schedulingSpecification("0 0 0 1 1 ?")
                        .priority(2)
                        .build());
        a.scheduler().as("bob", null).cancelJob("j");
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("k").schedulingSpecification("0 0 0 1 1 ?").build());
        a.scheduler().as("ann", null).runNow("k");
        world.pass(Duration.ofSeconds(1));
        a.scheduler().as("ann", "CR-21").apply(JobAction.release(), JobSelection.keys("k"), false);
        a.scheduler().as("bob", "CR-22").apply(JobAction.release(), JobSelection.keys("k"), false);
        a.scheduler().as("bob", null).pause(PauseScope.commandType("x"), Pause.because("audit"));
        Scheduler carl = a.scheduler().as("carl", "CR-19");
        carl.calendars().put("bank", Map.of("minutes", "2"));
        carl.calendars().put("bank", Map.of("minutes", "2"));
        carl.calendars().delete("bank");
        carl.groups().put("api", new GroupLimits(2, null));
        world.pass(Duration.ZERO);
        assertThat(of("requests"))
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "job 'j' was paused by ann (audit)",
                        "job 'j' was resumed by ann (CR-18)",
                        "job 'j' was changed by ann (CR-20): [priority: 4 -> 2]",
                        "job 'j' was cancelled by bob",
                        "a run of job 'k' was requested by ann",
                        "the lease of job 'k' was removed by ann (CR-21)",
                        "ALM-061 type:x was paused by bob (audit); nothing has that name now; was it misspelt?",
                        "calendar 'bank' was stored as version 1 by carl (CR-19)",
                        "calendar 'bank' was deleted by carl (CR-19)",
                        "group 'api' was given size 2 by carl (CR-19)");
        assertThat(of("requests"))
                .filteredOn(line -> line.getLevel() == Level.WARN)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).startsWith("ALM-061"));
    }

    @Test
    @DisplayName(
            "A4, S19: an acknowledgement that has closed failures is reported once with who and why; so is one by a rerun")
    void acknowledged() {
        Machine a = world.node("a");
        broken();
        a.scheduler()
                .scheduleJob(job("once").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("twice").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(125));
        Scheduler ann = a.scheduler().as("ann", "known");
        ann.apply(JobAction.acknowledge(), JobSelection.keys("twice"), true);
        world.pass(Duration.ZERO);
        assertThat(of("requests")).as("a dry run").isEmpty();
        ann.apply(JobAction.acknowledge(), JobSelection.keys("twice"), false);
        ann.apply(JobAction.acknowledge(), JobSelection.keys("twice"), false);
        a.scheduler().as("bob", "mended").apply(JobAction.rerunFailed(), JobSelection.keys("once"), false);
        world.pass(Duration.ZERO);
        assertThat(of("requests"))
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "2 failures of job 'twice' were acknowledged by ann (known)",
                        "1 failure of job 'once' was acknowledged by bob (mended)");
        assertThat(a.events())
                .filteredOn(event -> event.toString().startsWith("FailuresAcknowledged"))
                .hasSize(2);
    }

    @Test
    @DisplayName(
            "A4: a lease that was lost, and a claim that another node has taken over, are reported once at WARN with the reason")
    void recovered() {
        Machine a = world.node("a");
        world.work = call ->
                call.node().equals("a") ? new CompletableFuture<>() : CompletableFuture.<Void>completedFuture(null);
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        world.node("b");
        a.lanes().freeze();
        world.pass(Duration.ofMinutes(1));
        a.lanes().thaw();
        world.pass(Duration.ofSeconds(1));
        assertThat(of("recoveries")).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .isEqualTo("job 'pay' had 1 claim that ended without a recorded outcome, as when a node dies;"
                            + " this node has taken the job over");
        });
        assertThat(of("leases")).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage()).startsWith("this node has lost its lease on job 'pay': ");
        });
    }

    @Test
    @DisplayName("A4: fires that were missed are reported at WARN, once for all of them")
    void missed() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("tick").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofMinutes(2));
        a.lanes().freeze();
        world.pass(Duration.ofMinutes(10));
        assertThat(of("missed")).isEmpty();
        a.lanes().thaw();
        world.pass(Duration.ofSeconds(30));
        assertThat(of("missed")).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage()).matches("job 'tick' has missed \\d+ fires, from \\S+ to \\S+");
        });
    }

    @Test
    @DisplayName(
            "A4: what a node finds at its start, its first claims and its drain are reported at INFO; runs only at DEBUG")
    void node() throws Exception {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.label("till 1"));
        a.scheduler()
                .scheduleJob(job("one").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(3));
        assertThat(of("runs")).isEmpty();
        almanac.setLevel(Level.DEBUG);
        a.scheduler()
                .scheduleJob(job("two").singleSchedule(START.plusSeconds(5)).build());
        world.pass(Duration.ofSeconds(3));
        a.scheduler().drain(Duration.ofSeconds(1));
        world.pass(Duration.ZERO);
        assertThat(of("runs"))
                .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
                .containsExactly(
                        "DEBUG job 'two' starts attempt 1 of its fire of " + START.plusSeconds(5),
                        "DEBUG job 'two' has succeeded after 0 ms");
        String id = a.scheduler().node().id();
        assertThat(of("node")).allSatisfy(line -> assertThat(line.getLevel()).isEqualTo(Level.INFO));
        assertThat(of("node").get(0).getFormattedMessage())
                .isEqualTo("found at start: memory; 1 live node; live jobs: 0 one-off, 0 recurring; 0 due now");
        assertThat(of("node").stream().skip(1))
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "node " + id + " (till 1) claims jobs from now on",
                        "node " + id + " (till 1) claims no more jobs; all its runs have ended");
    }

    @Test
    @DisplayName(
            "A4, L39: a run that a shutdown abandons is reported at WARN with the reason; one that ends well is not")
    void abandoned() throws Exception {
        Machine a = world.node("a");
        world.work = call -> call.job().equals("long") ? new CompletableFuture<>() : world.after(Duration.ZERO);
        for (String key : List.of("long", "short")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(1)).build());
        }
        world.pass(Duration.ofSeconds(3));
        assertThat(of("recoveries")).isEmpty();
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3));
        assertThat(of("recoveries")).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .startsWith("job 'long' was abandoned in its fire of " + START.plusSeconds(1) + ": ")
                    .endsWith("; it runs again");
        });
    }

    @Test
    @DisplayName("A4: a flood of one job is bounded, its count is logged, and other jobs are logged beside it")
    void flood() {
        Machine a = world.node("a");
        broken();
        a.scheduler()
                .scheduleJob(job("tick").schedulingSpecification("* * * * * ?").build());
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(30)).build());
        world.pass(Duration.ofSeconds(50));
        assertThat(of("failures"))
                .filteredOn(line -> line.getFormattedMessage().startsWith("job 'tick'"))
                .hasSize(5);
        assertThat(of("failures"))
                .filteredOn(line -> line.getFormattedMessage().startsWith("job 'pay'"))
                .hasSize(1);
        world.pass(Duration.ofSeconds(30));
        assertThat(of("failures"))
                .extracting(ILoggingEvent::getFormattedMessage)
                .anySatisfy(text -> assertThat(text)
                        .matches("\\d\\d more lines of this kind about 'tick' were left out in the last 60 s"));
    }

    @Test
    @DisplayName("16.4: a damaged document that every look reads is logged once, not with every look")
    void damageOnce() {
        Logger store = (Logger) LoggerFactory.getLogger("dev.almanac.mongo");
        store.setLevel(Level.WARN);
        store.addAppender(lines);
        try (MongoInVirtualTime mongo = new MongoInVirtualTime()) {
            JobStore there = mongo.store(world.time);
            there.open();
            mongo.raw()
                    .getCollection("control")
                    .insertOne(new Document("_id", "pause tag:of-the-log").append("pauseOf", 1));
            for (int i = 0; i < 20; i++) {
                assertThat(there.cluster().control().pauses()).hasSize(1);
            }
        } finally {
            store.detachAppender(lines);
            store.setLevel(null);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains("ALM-008"))
                .singleElement()
                .asString()
                .contains("'pause tag:of-the-log' cannot be read");
    }
}
