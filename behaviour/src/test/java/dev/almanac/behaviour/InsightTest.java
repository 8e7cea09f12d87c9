package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.RehydrationSummary;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every store lets a scheduler tell of its jobs. */
class InsightTest extends OverStores {
    /** A command that only some nodes know. */
    record Rare(String text) implements SchedulingCommand {}

    private static List<Kind> kinds(Explanation explanation) {
        return explanation.reasons().stream().map(Reason::kind).toList();
    }

    @Test
    @DisplayName("O2: one job from its future to its end, explained at each step")
    void oneLife() {
        Machine a = world.node("a");
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.work = call -> {
            if (call.attempt() == 1) {
                throw new IllegalStateException("disk full");
            }
            return end;
        };
        assertThat(kinds(a.scheduler().explainJob("j"))).containsExactly(Kind.UNKNOWN_KEY);
        Instant at = START.plusSeconds(60);
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(at).retryPolicy("R5/PT5M").build());
        assertThat(a.scheduler().explainJob("j")).satisfies(explanation -> {
            assertThat(explanation.headline()).isEqualTo("Job 'j' waits for its next fire at " + at + ".");
            assertThat(explanation.nextStart()).isEqualTo(at);
            assertThat(explanation.nextFireTimes()).containsExactly(at);
        });
        world.pass(Duration.ofSeconds(90));
        Explanation failed = a.scheduler().explainJob("j");
        assertThat(kinds(failed)).containsExactly(Kind.BACKING_OFF);
        assertThat(failed.headline())
                .contains("attempt 1", "disk full", at.plusSeconds(300).toString());
        world.pass(Duration.ofMinutes(6));
        Explanation running = a.scheduler().explainJob("j");
        assertThat(kinds(running)).containsExactly(Kind.LEASED);
        assertThat(running.reasons().get(0).who())
                .isEqualTo(a.scheduler().node().id());
        assertThat(running.headline()).contains("it has been running since " + at.plusSeconds(300));
        a.scheduler().cancelJob("j", CancelMode.LET_RUN);
        assertThat(kinds(a.scheduler().explainJob("j"))).containsExactly(Kind.LEASED, Kind.CANCEL_REQUESTED);
        end.complete(null);
        world.pass(Duration.ofSeconds(5));
        assertThat(kinds(a.scheduler().explainJob("j"))).containsExactly(Kind.FINISHED);
    }

    @Test
    @DisplayName("O2: a pause is reported with author, reason, start and end")
    void paused() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("p").schedulingSpecification("0 0 * * * ?").build());
        world.pass(Duration.ofSeconds(10));
        Instant until = START.plusSeconds(7200);
        a.scheduler().pause(PauseScope.job("p"), new Pause("audit", "ops", until));
        world.pass(Duration.ofSeconds(10));
        assertThat(a.scheduler().explainJob("p").reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(Kind.PAUSED);
            assertThat(reason.who()).isEqualTo("ops");
            assertThat(reason.since()).isEqualTo(START.plusSeconds(10));
            assertThat(reason.until()).isEqualTo(until);
            assertThat(reason.text()).endsWith(": audit");
        });
    }

    @Test
    @DisplayName("O2: a job that is held back with its kind says with which; one of another kind says nothing")
    void pausedKinds() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("t").tags("eod")
                        .singleSchedule(START.plusSeconds(60))
                        .build());
        a.scheduler().scheduleJob(job("u").singleSchedule(START.plusSeconds(60)).build());
        a.scheduler().pause(PauseScope.tag("eod"), new Pause("close", "ops", null));
        Explanation explanation = a.scheduler().explainJob("t");
        assertThat(kinds(explanation)).containsExactly(Kind.PAUSED);
        assertThat(explanation.headline())
                .isEqualTo("Job 't' is paused with tag:eod by ops since " + START + " until it is resumed: close.");
        assertThat(kinds(a.scheduler().explainJob("u"))).containsExactly(Kind.FUTURE);
    }

    @Test
    @DisplayName(
            "O2, P9: a job that waits for its group has a reason that names the holder and its node; also of a node that died")
    void group() {
        world.work = call -> new CompletableFuture<>();
        Machine a = world.node("a");
        schedule(a, "first", "till", 1);
        world.pass(Duration.ofSeconds(2));
        Machine b = world.node("b");
        schedule(b, "second", "till", 3);
        schedule(b, "other", "safe", 900);
        world.pass(Duration.ofSeconds(10));
        assertThat(b.scheduler().explainJob("second").reasons().get(0)).satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(Kind.WAITING_FOR_GROUP);
            assertThat(reason.who()).isEqualTo("first");
            assertThat(reason.text())
                    .contains("'till'", "'first'", a.scheduler().node().id());
        });
        assertThat(kinds(b.scheduler().explainJob("other"))).containsExactly(Kind.FUTURE);
        a.lanes().close();
        b.lanes().freeze();
        world.pass(Duration.ofSeconds(30));
        assertThat(b.scheduler().explainJob("second").reasons().get(0).text())
                .contains(a.scheduler().node().id(), "without a recorded outcome");
    }

    private static void schedule(Machine node, String key, String group, long seconds) {
        node.scheduler()
                .scheduleJob(job(key).exclusiveGroup(group)
                        .singleSchedule(START.plusSeconds(seconds))
                        .build());
    }

    @Test
    @DisplayName("O2: a node that died: leased, then to be recovered, then run by another")
    void deadNode() {
        Machine a = world.node("a");
        world.work =
                call -> call.node().equals("a") ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(job("d").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofSeconds(3));
        a.lanes().close();
        Machine b = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(dev.almanac.runtime.SchedulerSettings.builder()
                        .autoRehydrate(false)
                        .build()));
        world.pass(Duration.ofSeconds(10));
        assertThat(kinds(b.scheduler().explainJob("d"))).containsExactly(Kind.LEASED);
        world.pass(Duration.ofSeconds(30));
        Explanation pending = b.scheduler().explainJob("d");
        assertThat(kinds(pending)).containsExactly(Kind.NO_NODE, Kind.RECOVERY_PENDING);
        assertThat(pending.headline()).contains("is not rehydrated, and claims nothing until it is");
        assertThat(pending.reasons().get(1).text())
                .contains(a.scheduler().node().id() + ", which has not reported lately");
        b.scheduler().rehydrate();
        world.pass(Duration.ofSeconds(5));
        assertThat(kinds(b.scheduler().explainJob("d"))).containsExactly(Kind.FINISHED, Kind.ABANDONED);
    }

    @Test
    @DisplayName("R8: a job that no live node can run says so on every node")
    void noNode() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.command("rare", 1, Rare.class));
        a.scheduler()
                .scheduleJob(job("r").triggerCommand(new Rare("x"))
                        .singleSchedule(START.plusSeconds(60))
                        .build());
        assertThat(kinds(a.scheduler().explainJob("r"))).containsExactly(Kind.FUTURE);
        a.lanes().close();
        world.pass(Duration.ofSeconds(30));
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(60));
        assertThat(kinds(b.scheduler().explainJob("r"))).containsExactly(Kind.NO_NODE, Kind.DUE);
    }

    @Test
    @DisplayName(
            "R12: the summary counts live jobs by kind, missed fires by policy, and types that no live node can run")
    void rehydration() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.command("rare", 1, Rare.class));
        for (MissedFirePolicy policy :
                List.of(MissedFirePolicy.SKIP, MissedFirePolicy.RUN_LATEST, MissedFirePolicy.RUN_ALL)) {
            a.scheduler()
                    .scheduleJob(job("each-" + policy.kind())
                            .schedulingSpecification("0 0/10 * * * ?")
                            .missedFirePolicy(policy)
                            .build());
        }
        a.scheduler()
                .scheduleJob(
                        job("hourly").schedulingSpecification("0 0 * * * ?").build());
        a.scheduler()
                .scheduleJob(job("late").singleSchedule(START.plusSeconds(60)).build());
        a.scheduler()
                .scheduleJob(job("rare")
                        .triggerCommand(new Rare("x"))
                        .singleSchedule(START.plusSeconds(60))
                        .build());
        a.scheduler()
                .scheduleJob(job("gone").singleSchedule(START.plusSeconds(60)).build());
        a.scheduler().cancelJob("gone");
        a.lanes().close();
        world.pass(Duration.ofMinutes(35));
        Machine b = waiting("b");
        RehydrationSummary summary = b.scheduler().rehydrate();
        assertThat(summary.oneOffJobs()).isEqualTo(2);
        assertThat(summary.recurringJobs()).isEqualTo(4);
        assertThat(summary.dueJobs()).as("of types that it can run").isEqualTo(4);
        assertThat(summary.missedFires())
                .containsOnly(
                        Map.entry(MissedFirePolicy.Kind.SKIP, 3L),
                        Map.entry(MissedFirePolicy.Kind.RUN_LATEST, 3L),
                        Map.entry(MissedFirePolicy.Kind.RUN_ALL, 3L));
        assertThat(summary.unrunnableTypes()).containsOnly(Map.entry("rare", 1));
        assertThat(summary.liveNodes()).isEqualTo(1);
        assertThat(summary.capped()).isFalse();
        world.pass(Duration.ZERO);
        assertThat(b.events()).contains(new SchedulerEvent.Rehydrated(summary));
    }

    @Test
    @DisplayName("O5: until it is rehydrated a node is DOWN, and says why; then it is UP")
    void notRehydrated() {
        Machine a = waiting("a");
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DOWN);
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("not rehydrated");
        a.scheduler().rehydrate();
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        a.scheduler().beginDrain(Duration.ZERO);
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("drained");
    }

    private static List<Finding.Kind> found(InvariantReport report) {
        return report.findings().stream().map(Finding::kind).toList();
    }

    @Test
    @DisplayName(
            "O3: a store where jobs have run, failed, were paused and cancelled is clean, and all of it was looked at")
    void clean() {
        Machine a = world.node("a");
        world.work = call -> {
            if (call.job().equals("fails")) {
                throw new IllegalStateException("boom");
            }
            return CompletableFuture.completedFuture(null);
        };
        a.scheduler()
                .scheduleJob(
                        job("often").schedulingSpecification("0/5 * * * * ?").build());
        a.scheduler()
                .scheduleJob(
                        job("fails").schedulingSpecification("0/7 * * * * ?").build());
        a.scheduler()
                .scheduleJob(job("once").singleSchedule(START.plusSeconds(5)).build());
        a.scheduler()
                .scheduleJob(job("gone").singleSchedule(START.plusSeconds(99)).build());
        a.scheduler()
                .scheduleJob(job("held").singleSchedule(START.plusSeconds(9)).build());
        a.scheduler().pause(PauseScope.job("held"), new Pause("why", "who", null));
        a.scheduler().cancelJob("gone");
        world.pass(Duration.ofMinutes(5));
        InvariantReport report = a.scheduler().checkInvariants();
        assertThat(report.findings()).isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(report.jobs()).isEqualTo(3);
        assertThat(report.notChecked()).isEmpty();
    }

    @Test
    @DisplayName("O3: overdue beyond the tolerance is found, a job paused with its tag is not")
    void overdue() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("first").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("second").singleSchedule(START.plusSeconds(5)).build());
        a.scheduler()
                .scheduleJob(job("tagged")
                        .tags("eod")
                        .singleSchedule(START.plusSeconds(5))
                        .build());
        assertThat(a.scheduler().checkInvariants().all()).isEmpty();
        a.scheduler().pause(PauseScope.tag("eod"), new Pause("why", "who", null));
        world.pass(Duration.ofSeconds(60));
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
        assertThat(a.scheduler().checkInvariants().reminders()).singleElement().satisfies(reminder -> {
            assertThat(reminder.kind()).isEqualTo(Finding.Kind.PAUSED);
            assertThat(reminder.text()).contains("every job with tag eod", "1 min ago", "by who: why");
            assertThat(reminder.advice()).contains("almanac jobs resume --tag eod");
        });
        world.pass(Duration.ofSeconds(10));
        assertThat(a.scheduler().checkInvariants().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Finding.Kind.OVERDUE);
            assertThat(finding.subject()).isEqualTo("second");
            assertThat(finding.text()).contains("due since " + START.plusSeconds(5));
        });
    }

    @Test
    @DisplayName("O3: a lease that is not recovered, and a type that no node can run, are found")
    void deserted() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.command("rare", 1, Rare.class));
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("run").singleSchedule(START.plusSeconds(1)).build());
        for (String key : List.of("r1", "r2")) {
            a.scheduler()
                    .scheduleJob(job(key).triggerCommand(new Rare(key))
                            .singleSchedule(START.plusSeconds(60))
                            .build());
        }
        world.pass(Duration.ofSeconds(5));
        a.lanes().close();
        Machine b = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        b.scheduler()
                .scheduleJob(job("first").singleSchedule(START.plusSeconds(6)).build());
        world.pass(Duration.ofMinutes(2));
        InvariantReport report = b.scheduler().checkInvariants();
        assertThat(found(report)).containsExactly(Finding.Kind.LEASE_NOT_RECOVERED, Finding.Kind.UNSERVED);
        assertThat(report.findings().get(0).subject()).isEqualTo("run");
        assertThat(report.findings().get(1).text())
                .startsWith("2 live jobs of command type 'rare' are taken by no live node");
    }

    @Test
    @DisplayName("O3: of a lease that a pause of its kind keeps from being recovered the pause is named, and its end")
    void recoveryPaused() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("run")
                        .tags("eod")
                        .singleSchedule(START.plusSeconds(1))
                        .build());
        world.pass(Duration.ofSeconds(5));
        a.lanes().close();
        Machine b = world.node("b");
        b.scheduler().pause(PauseScope.tag("eod"), new Pause("close", "ops", null));
        world.pass(Duration.ofMinutes(2));
        assertThat(b.scheduler().checkInvariants().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Finding.Kind.LEASE_NOT_RECOVERED);
            assertThat(finding.text()).contains("every job with tag eod is paused", "by ops: close");
            assertThat(finding.advice()).contains("almanac jobs resume --tag eod");
        });
        assertThat(b.scheduler().explainJob("run").headline()).contains("is paused with tag:eod by ops");
    }

    @Test
    @DisplayName(
            "O3, P7: planted damage of each kind is found; looking writes the missing row again and changes nothing else")
    void planted() {
        Machine a = world.node("a");
        Instant past = START.minusSeconds(600);
        StoredJob noDue = Specimens.of("1".repeat(24), plain("no-due").build(), START.plusSeconds(999))
                .job()
                .with(edit -> edit.due(null));
        world.store.insert(List.of(new NewJob(noDue, noDue.lastStatus())));
        NewJob noRow = Specimens.of("2".repeat(24), plain("no-row").build(), START.plusSeconds(999));
        world.store.insert(List.of(new NewJob(
                noRow.job()
                        .with(edit -> edit.lastStatus(
                                noRow.row().toBuilder().updatedTime(past).build())),
                Specimens.row(noRow.job().id(), "no-row", "other", past))));
        NewJob over = Specimens.of(
                "3".repeat(24),
                StoredFields.of(plain("over"))
                        .deleteTime(START.plusSeconds(9_000))
                        .build(),
                past);
        world.store.insert(List.of(over));
        InvariantReport report = a.scheduler().checkInvariants();
        assertThat(found(report))
                .containsExactlyInAnyOrder(
                        Finding.Kind.NO_DUE_TIME, Finding.Kind.ROW_MISSING, Finding.Kind.FINISHED_WITH_DUE);
        assertThat(report.findings())
                .extracting(Finding::subject)
                .containsExactlyInAnyOrder("no-due", "no-row", "over");
        assertThat(found(a.scheduler().checkInvariants()))
                .as("P7: the missing row was written again, the rest is as it was")
                .containsExactlyInAnyOrder(Finding.Kind.NO_DUE_TIME, Finding.Kind.FINISHED_WITH_DUE);
        assertThat(a.scheduler().history("no-row")).hasSize(2);
    }

    @Test
    @DisplayName(
            "S20: a number of jobs that no node takes is no less than those that are due, and says if it may be more")
    void beyondTheExamined() {
        world.node("a");
        Instant past = START.minusSeconds(60);
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 10_301; i++) {
            boolean rare = i == 0 || i > 10_000;
            jobs.add(Specimens.of(
                    String.format("%024d", i),
                    plain(String.format("k%05d", i))
                            .triggerCommand(new EncodedCommand(rare ? "rare" : "note", 1, Map.of()))
                            .build(),
                    rare ? past : START.plusSeconds(9_000)));
        }
        world.store.insert(jobs);
        InvariantReport report = world.client(builder -> builder).checkInvariants();
        assertThat(report.notChecked()).hasSize(1);
        assertThat(report.findings())
                .filteredOn(finding -> finding.kind() == Finding.Kind.UNSERVED)
                .singleElement()
                .satisfies(finding -> assertThat(finding.text())
                        .startsWith("301 or more live jobs of command type 'rare' are taken by no live node")
                        .endsWith("; 301 of them are due, the oldest for 1 min"));
    }

    private static JobSpecificationBuilder plain(String key) {
        return Specimens.specification(key)
                .singleSchedule(START)
                .triggerCommand(new EncodedCommand("note", 1, Map.of("text", key)));
    }

    private Machine waiting(String name) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().autoRehydrate(false).build()));
    }
}
