package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.model.Explanation;
import dev.almanac.model.Finding;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.UnservedJobs;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Due jobs that no live node takes, and due jobs that more urgent ones keep from running (rule S20). */
class UnservedTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private final Scheduler outside = world.client(builder -> builder.command("rare", 1, Rare.class));

    /** A command type that no node has. */
    record Rare(String text) implements SchedulingCommand {}

    record Nobody(String text) implements SchedulingCommand {}

    private World.Machine urgentOnly(String name) {
        return ranged(name, 0, 3);
    }

    private World.Machine ranged(String name, int min, int max) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.settings(SchedulerSettings.builder()
                        .minPriority(min)
                        .maxPriority(max)
                        .build()));
    }

    private void rare(String key) {
        outside.scheduleJob(job(key).triggerCommand(new Rare(key))
                .singleSchedule(START.plusSeconds(60))
                .build());
    }

    private void priority(String key, int priority) {
        outside.scheduleJob(job(key).priority(priority)
                .singleSchedule(START.plusSeconds(60))
                .build());
    }

    @Test
    @DisplayName(
            "S20: a due job of a type that no live node has makes every node DEGRADED after a minute, with the reason")
    void type() {
        World.Machine a = world.node("a");
        World.Machine b = urgentOnly("b");
        rare("r1");
        rare("r2");
        world.pass(Duration.ofSeconds(119));
        assertThat(a.scheduler().health().reasons()).as("due for 59 s").isEmpty();
        world.pass(Duration.ofSeconds(1));
        for (World.Machine node : new World.Machine[] {a, b}) {
            assertThat(node.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
            assertThat(node.scheduler().health().reasons())
                    .containsExactly("2 due jobs of command type 'rare' are taken by no live node;"
                            + " the oldest has been due for 60 s");
        }
    }

    @Test
    @DisplayName("S20: the reason goes when the jobs are paused, or a node has the type")
    void served() {
        World.Machine a = world.node("a");
        rare("r1");
        world.pass(Duration.ofMinutes(5));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        outside.pause(PauseScope.commandType("rare"), new Pause("for a while", "tests", null));
        world.pass(Duration.ofMinutes(1));
        assertThat(a.scheduler().health().reasons())
                .as("what is paused waits for a user")
                .noneMatch(reason -> reason.contains("taken by no live node"));
        outside.resume(PauseScope.commandType("rare"));
        world.pass(Duration.ofMinutes(1));
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("'rare'");
        world.node(
                "b", world.store, Duration.ZERO, builder -> builder.command("rare", 1, Rare.class, (rare, run) -> {}));
        world.pass(Duration.ofSeconds(20));
        assertThat(outside.findJobById("r1")).as("it was run").isEmpty();
        assertThat(a.scheduler().health()).isEqualTo(new Health(Health.State.UP, List.of()));
    }

    @Test
    @DisplayName("S20: so does a due job of a priority that no live node with its type takes, and only that")
    void priorities() {
        World.Machine a = urgentOnly("a");
        World.Machine b = ranged("b", 6, 7);
        priority("p4", 4);
        priority("p5", 5);
        priority("p6", 6);
        priority("p0", 0);
        world.pass(Duration.ofSeconds(125));
        assertThat(world.callsOf("p6")).hasSize(1);
        assertThat(world.callsOf("p0")).hasSize(1);
        for (World.Machine node : new World.Machine[] {a, b}) {
            assertThat(node.scheduler().health().reasons())
                    .containsExactly("2 due jobs of command type 'note' with priority 4 to 5 are taken by no live node;"
                            + " the oldest has been due for 65 s");
        }
        world.pass(Duration.ofMinutes(20));
        assertThat(a.scheduler().health().reasons())
                .as("the slots are free, so the nodes do not fall behind")
                .hasSize(1)
                .noneMatch(reason -> reason.contains("fall behind"));
    }

    @Test
    @DisplayName("O2: a node that has given a job back says why, and until when, and is not one that can claim it")
    void givenBack() {
        World.Machine a =
                world.node("a", world.store, Duration.ZERO, builder -> builder.command("rare", 1, Rare.class));
        rare("r1");
        priority("p0", 0);
        world.work = call -> new CompletableFuture<>();
        for (int i = 0; i < 3; i++) {
            world.pass(Duration.ofSeconds(65));
            Explanation waits = a.scheduler().explainJob("r1");
            assertThat(waits.headline())
                    .startsWith("Job 'r1' is left to other nodes: this one leaves it alone until 2099-")
                    .endsWith("Z: no helper of this node supports its command of type rare.");
            assertThat(waits.reasons().get(1).text()).endsWith("and not claimed yet; 0 of 1 live nodes can claim it");
        }
        assertThat(a.scheduler().explainJob("p0").reasons())
                .extracting(Explanation.Reason::kind)
                .containsExactly(Explanation.Kind.LEASED);
    }

    private World.Machine rareOnly(String name) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> World.idle(builder).command("rare", 1, Rare.class, (rare, run) -> {}));
    }

    @Test
    @DisplayName(
            "S20: a node that claims nothing takes nothing: explain says why, and doctor and every node report the jobs")
    void claimsNothing() {
        World.Machine a = world.node("a");
        World.Machine b = rareOnly("b");
        rare("r1");
        world.pass(Duration.ofSeconds(65));
        for (Scheduler asked : new Scheduler[] {a.scheduler(), b.scheduler(), outside}) {
            Explanation waits = asked.explainJob("r1");
            assertThat(waits.reasons().get(0).kind()).isEqualTo(Explanation.Kind.NO_NODE);
            assertThat(waits.headline())
                    .startsWith("Job 'r1' cannot start: no live node that has its command type and takes its priority"
                            + " claims anything; node " + b.scheduler().node().id() + " (")
                    .contains("it was started ", " s ago and is not rehydrated, and claims nothing until it is");
            assertThat(waits.reasons()).noneMatch(reason -> reason.text().contains("1 of 2"));
        }
        assertThat(outside.checkInvariants().findings()).extracting(Finding::id).containsExactly("ALM-038");
        world.pass(Duration.ofMinutes(1));
        String unserved = "1 due job of command type 'rare' is taken by no live node";
        assertThat(a.scheduler().health().reasons()).singleElement().asString().startsWith(unserved);
        assertThat(b.scheduler().health().reasons()).anyMatch(reason -> reason.startsWith(unserved));
        b.scheduler().rehydrate();
        world.pass(Duration.ofSeconds(11));
        assertThat(outside.findJobById("r1")).as("it was run").isEmpty();
        assertThat(a.scheduler().health())
                .as("as soon as it is seen in its next report, without a further count")
                .isEqualTo(new Health(Health.State.UP, List.of()));
        assertThat(outside.checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName("S20: a node that was started a moment ago and is about to claim takes what it will claim")
    void aboutToClaim() {
        World.Machine a = world.node("a");
        rare("r1");
        world.pass(Duration.ofMinutes(5));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        rareOnly("b");
        world.pass(Duration.ofSeconds(6));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    @DisplayName("S20: explain says which priorities the live nodes take, from any process")
    void explained() {
        World.Machine a = urgentOnly("a");
        priority("p5", 5);
        rare("r1");
        world.pass(Duration.ofMinutes(2));
        for (Scheduler asked : new Scheduler[] {a.scheduler(), outside}) {
            Explanation low = asked.explainJob("p5");
            assertThat(low.reasons().get(0).kind()).isEqualTo(Explanation.Kind.NO_NODE);
            assertThat(low.headline())
                    .isEqualTo("Job 'p5' cannot be run by any of the 1 live nodes: none with its command type 'note'"
                            + " takes its priority 5; they take 0 to 3.");
            assertThat(low.reasons()).noneMatch(reason -> reason.text().contains("1 of 1"));
            assertThat(asked.explainJob("r1").headline()).contains("none has the command type 'rare'");
        }
        priority("p0", 0);
        assertThat(outside.explainJob("p0").has(Explanation.Kind.NO_NODE)).isFalse();
    }

    @Test
    @DisplayName("S20: doctor finds types and priorities that no live node takes, with number and age")
    void doctor() {
        urgentOnly("a");
        priority("p5", 5);
        priority("p7", 7);
        priority("p1", 1);
        rare("r1");
        world.pass(Duration.ofMinutes(3));
        assertThat(outside.checkInvariants().findings()).extracting(Finding::id).containsExactly("ALM-038", "ALM-038");
        assertThat(outside.checkInvariants().findings())
                .extracting(Finding::text)
                .satisfiesExactly(
                        text -> assertThat(text)
                                .startsWith("2 live jobs of command type 'note' with priority 4 to 7 are taken by no"
                                        + " live node")
                                .contains("2 of them are due, the oldest for 2 min"),
                        text -> assertThat(text)
                                .startsWith("1 live job of command type 'rare' is taken by no live node")
                                .contains("1 of them is due, the oldest for 2 min"));
    }

    @Test
    @DisplayName("S20: of jobs whose failure command no live node takes, doctor says how a list finds them")
    void owed() {
        world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("no"));
        outside.scheduleJob(job("j").failureCommand(new Rare("sorry"))
                .singleSchedule(START.plusSeconds(60))
                .build());
        world.pass(Duration.ofMinutes(3));
        assertThat(outside.checkInvariants().findings())
                .filteredOn(finding -> finding.id().equals("ALM-038"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).startsWith("1 live job of command type 'rare'"))
                .extracting(Finding::advice)
                .asString()
                .contains("almanac jobs list --state OWING")
                .doesNotContain("--where-type");
    }

    @Test
    @DisplayName("S20: where some of the jobs of a type owe it as failure command, doctor says how to find these, too")
    void partlyOwed() {
        world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("no"));
        outside.scheduleJob(job("j").failureCommand(new Rare("sorry"))
                .singleSchedule(START.plusSeconds(60))
                .build());
        rare("r1");
        world.pass(Duration.ofMinutes(3));
        assertThat(outside.checkInvariants().findings())
                .filteredOn(finding -> finding.id().equals("ALM-038"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).startsWith("2 live jobs of command type 'rare'"))
                .extracting(Finding::advice)
                .asString()
                .endsWith(
                        "almanac jobs cancel --where-type 'rare'; 1 of them owes it as failure command, which that does"
                                + " not find: almanac jobs list --state OWING");
    }

    @Test
    @DisplayName("S20: explain names what takes the slots, and what is more urgent, when a due job waits behind it")
    void behindUrgentOnes() {
        World.Machine a = slots("a", 3);
        world.work = call -> new CompletableFuture<>();
        for (int i = 0; i < 5; i++) {
            outside.scheduleJob(job("flood" + i)
                    .priority(0)
                    .singleSchedule(START.plusSeconds(10))
                    .build());
        }
        outside.scheduleJob(
                job("low").priority(6).singleSchedule(START.plusSeconds(10)).build());
        world.pass(Duration.ofSeconds(40));
        for (Scheduler asked : new Scheduler[] {a.scheduler(), outside}) {
            Explanation low = asked.explainJob("low");
            assertThat(low.reasons())
                    .filteredOn(reason -> reason.kind() == Explanation.Kind.SLOTS_TAKEN)
                    .singleElement()
                    .extracting(Explanation.Reason::text)
                    .asString()
                    .isEqualTo("waits while all 3 slots of the 1 live nodes that can claim it are taken: 3 by jobs of"
                            + " type 'note' with priority 0; 2 due jobs are more urgent and come first:"
                            + " 2 of type 'note' with priority 0");
        }
        assertThat(outside.explainJob("flood0").reasons())
                .as("one that runs waits for nothing")
                .noneMatch(reason -> reason.text().contains("slots"));
    }

    @Test
    @DisplayName("S20: explain says that the limit of its command type is reached when a due job waits for that")
    void limitOfType() {
        World.Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.typeLimit("note", 2));
        world.work = call -> new CompletableFuture<>();
        for (int i = 0; i < 2; i++) {
            outside.scheduleJob(
                    job("runs" + i).singleSchedule(START.plusSeconds(10)).build());
        }
        outside.scheduleJob(
                job("waits").priority(6).singleSchedule(START.plusSeconds(20)).build());
        world.pass(Duration.ofSeconds(60));
        for (Scheduler asked : new Scheduler[] {a.scheduler(), outside}) {
            assertThat(asked.explainJob("waits").headline())
                    .isEqualTo(
                            "Job 'waits' waits while the limit of its command type is reached on the 1 live nodes that"
                                    + " can claim it: 2 by jobs of type 'note' with priority 4.");
        }
        World.Machine b = world.node("b");
        assertThat(b.scheduler().explainJob("waits").reasons())
                .as("another node has room")
                .extracting(Explanation.Reason::kind)
                .doesNotContain(Explanation.Kind.SLOTS_TAKEN);
    }

    @Test
    @DisplayName("S20: a node whose first report gets no answer asks the store which nodes are live, and counts itself")
    void firstReportLost() {
        Scheduler all =
                world.client(builder -> builder.command("rare", 1, Rare.class).command("nobody", 1, Nobody.class));
        JobSpecificationBuilder due = job("j").singleSchedule(START.plusSeconds(60));
        all.scheduleJob(due.priority(5).build());
        all.scheduleJob(due.jobSpecificationKey("r")
                .priority(0)
                .triggerCommand(new Rare("r"))
                .build());
        all.scheduleJob(
                due.jobSpecificationKey("n").triggerCommand(new Nobody("n")).build());
        world.pass(Duration.ofMinutes(2));
        world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.command("rare", 1, Rare.class, (rare, run) -> {})
                        .settings(SchedulerSettings.builder().maxPriority(3).build()));
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1));
        network.fail(StoreCall.REPORT, 1, Fault.LOSE_REQUEST);
        World.Machine a = world.node("a", network, Duration.ZERO, builder -> builder);
        assertThat(network.calls(StoreCall.REPORT)).isEqualTo(1);
        assertThat(a.scheduler().rehydrate().unrunnableTypes()).isEqualTo(Map.of("nobody", 1));
        assertThat(a.scheduler().unserved())
                .extracting(UnservedJobs::commandType)
                .as("'note' of priority 5 is taken by a, 'rare' by b")
                .containsExactly("nobody");
        assertThat(a.scheduler().explainJob("j").headline()).doesNotContain("reported lately");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().unserved())
                .extracting(UnservedJobs::commandType)
                .as("once it has reported")
                .containsExactly("nobody");
    }

    private World.Machine slots(String name, int slots) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(slots).build()));
    }

    @Test
    @DisplayName("S20: jobs that these nodes do not claim come before nothing, nor do those of a full group")
    void urgentForOthers() {
        world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(SchedulerSettings.builder()
                        .minPriority(3)
                        .maxPriority(7)
                        .maxConcurrentRuns(3)
                        .build()));
        world.work = call -> new CompletableFuture<>();
        for (int i = 0; i < 5; i++) {
            priority("urgent" + i, 0);
        }
        grouped("holder", "till", 3, 5);
        grouped("before", "safe", 4, 5);
        for (int i = 0; i < 3; i++) {
            grouped("till" + i, "till", 3, 60);
        }
        grouped("waits", "safe", 4, 60);
        world.pass(Duration.ofSeconds(90));
        Explanation waits = outside.explainJob("waits");
        assertThat(waits.headline()).contains("waits for its group 'safe', which job 'before' holds");
        assertThat(waits.reasons()).extracting(Explanation.Reason::kind).doesNotContain(Explanation.Kind.SLOTS_TAKEN);
    }

    private void grouped(String key, String group, int priority, int second) {
        outside.scheduleJob(job(key).priority(priority)
                .exclusiveGroup(group)
                .singleSchedule(START.plusSeconds(second))
                .build());
    }
}
