package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.Retention;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DeclaredJobs;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a declared set has to remember, and whom it leaves alone (rule R13), over memory and a real server. */
class DeclaredSetsTest extends OverStores {
    private static final Duration SHORT = Duration.ofMinutes(1);

    private Machine node() {
        return world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.retention(new Retention(SHORT, SHORT, SHORT, SHORT)));
    }

    private void expire(Machine a, String key) {
        world.store.cluster().purge(world.time.wall().plus(Duration.ofDays(3)), 1_000);
        assertThat(isThere(a, key)).isFalse();
    }

    private static boolean isThere(Machine a, String key) {
        return a.scheduler().findJobById(key, FindScope.INCLUDING_FINISHED).isPresent();
    }

    @Test
    @DisplayName("R13: a declared job that has come to its end is left alone also when its document has expired")
    void expired() {
        Machine a = node();
        List<JobSpecification> set = List.of(
                job("once").singleSchedule(START.plusSeconds(5)).build(),
                job("thrice")
                        .schedulingSpecification("0/10 * * * * ?")
                        .maxFires(3)
                        .build());
        assertThat(a.scheduler().reconcile("shop", set, false).created()).containsExactly("once", "thrice");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(4);
        expire(a, "once");
        expire(a, "thrice");
        ReconcileResult again = a.scheduler().reconcile("shop", set, false);
        assertThat(again.unchanged()).containsExactly("once", "thrice");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).as("nothing begins anew").hasSize(4);
        List<JobSpecification> changed = List.of(
                job("once").singleSchedule(world.time.wall().plusSeconds(60)).build());
        assertThat(a.scheduler().reconcile("shop", changed, false).created())
                .as("another schedule is another job")
                .containsExactly("once");
    }

    @Test
    @DisplayName("S26: a lower release than the one that declared last changes nothing and cancels nothing")
    void releases() {
        Machine a = node();
        ReconcileOptions options = ReconcileOptions.DEFAULT;
        JobSpecification nine = job("j").schedulingSpecification("0 0 9 * * ?").build();
        JobSpecification ten = job("j").schedulingSpecification("0 0 10 * * ?").build();
        JobSpecification other =
                job("k").schedulingSpecification("0 0 10 * * ?").build();
        a.scheduler().reconcile("shop", List.of(nine), options.release("1.9.0"));
        assertThat(a.scheduler()
                        .reconcile("shop", List.of(ten, other), options.release("1.10.0"))
                        .updated())
                .containsExactly("j");
        ReconcileResult older = a.scheduler().reconcile("shop", List.of(nine), options.release("1.9.9"));
        assertThat(schedule(a, "j")).isEqualTo("0 0 10 * * ?");
        assertThat(isThere(a, "k")).isTrue();
        assertOutdated(older, "1.10.0");
        ReconcileResult planned = a.scheduler()
                .reconcile(
                        "shop", List.of(nine, other), options.release("1.9.9").dryRun(true));
        assertThat(planned.dryRun()).isTrue();
        assertOutdated(planned, "1.10.0");
        assertThat(a.scheduler()
                        .reconcile("shop", List.of(ten, other), options.release("1.10.0"))
                        .unchanged())
                .as("the same release may declare again")
                .containsExactly("j", "k");
        a.scheduler().reconcile("shop", List.of(nine, other), options);
        assertThat(schedule(a, "j")).as("without a release none is compared").isEqualTo("0 0 9 * * ?");
        assertOutdated(a.scheduler().reconcile("shop", List.of(ten, other), options.release("1.9.9")), "1.10.0");
        assertThat(a.scheduler()
                        .reconcile(
                                "bakery",
                                List.of(job("b").schedulingSpecification("0 0 9 * * ?")
                                        .build()),
                                options.release("1"))
                        .created())
                .as("another application has its own releases")
                .containsExactly("b");
    }

    /** What a lower release is told: nothing was done, and nothing is said of how its jobs are stored. */
    private static void assertOutdated(ReconcileResult result, String by) {
        assertThat(result.outdatedBy()).isEqualTo(by);
        assertThat(result.isEmpty()).as("the stored set is as declared").isFalse();
        assertThat(result.unchanged()).as("stored as declared").isEmpty();
        assertThat(Stream.of(result.created(), result.updated(), result.canceled(), result.kept())
                        .flatMap(List::stream))
                .as("what was done")
                .isEmpty();
    }

    @Test
    @DisplayName("S26: going back works under a higher name or one without order, and the next release follows either")
    void goingBack() {
        Machine a = node();
        ReconcileOptions options = ReconcileOptions.DEFAULT;
        for (String way : List.of("2.10.1.1", "rollback-7")) {
            String tag = "shop " + way;
            List<JobSpecification> good = List.of(at(tag + " j", 9), at(tag + " k", 9));
            a.scheduler().reconcile(tag, good, options.release("2.10.0"));
            a.scheduler().reconcile(tag, List.of(at(tag + " j", 3)), options.release("2.10.1"));
            assertOutdated(a.scheduler().reconcile(tag, good, options.release("2.10.0")), "2.10.1");
            ReconcileResult back = a.scheduler().reconcile(tag, good, options.release(way));
            assertThat(back.outdatedBy()).as(way).isNull();
            assertThat(back.created()).as(way).containsExactly(tag + " k");
            assertThat(back.updated()).as(way).containsExactly(tag + " j");
            assertThat(a.scheduler().reconcile(tag, good, options.release(way)).unchanged())
                    .as("each further node of " + way)
                    .hasSize(2);
            ReconcileResult next = a.scheduler().reconcile(tag, List.of(at(tag + " j", 4)), options.release("2.10.2"));
            assertThat(next.updated()).as("the release after " + way).containsExactly(tag + " j");
        }
    }

    @Test
    @DisplayName(
            "S26: the warning about a lower release names the higher one and the ways back, also after a declaration without a release")
    void lowerRelease() {
        Machine a = node();
        ReconcileOptions options = ReconcileOptions.DEFAULT;
        List<JobSpecification> set =
                List.of(job("j").schedulingSpecification("0 0 9 * * ?").build());
        a.scheduler().reconcile("shop", set, options.release("2.0"));
        a.scheduler().reconcile("shop", set, options);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.almanac.engine.request.Reconciler");
        Level usual = logger.getLevel();
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
        try {
            a.scheduler().reconcile("shop", set, options.release("1.9.1"));
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(usual);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "release 1.9.1 of application 'shop' declares nothing, since the higher release 2.0 has"
                                + " declared, whose jobs stay as they are; to go back, declare under a name that is"
                                + " higher than 2.0, or under one without order, such as rollback-7");
    }

    /** A node that another one overtakes, once, after it has read what was declared or its jobs, or before another call. */
    private Scheduler overtaken(String call, Runnable other) {
        boolean[] done = new boolean[1];
        boolean after = call.equals("declared") || call.equals("list");
        StoreHook hook = (method, arguments, proceed) -> {
            boolean now = method.equals(call) && !done[0];
            done[0] |= now;
            if (now && !after) {
                other.run();
            }
            Object answer = proceed.proceed();
            if (now && after) {
                other.run();
            }
            return answer;
        };
        JobStore jobs = StoreHook.over(
                world.store,
                (method, arguments, proceed) -> method.equals("cluster")
                        ? StoreHook.over(ClusterStore.class, world.store.cluster(), hook)
                        : hook.on(method, arguments, proceed));
        return client(jobs);
    }

    private static JobSpecification at(String key, int hour) {
        return job(key).schedulingSpecification("0 0 " + hour + " * * ?").build();
    }

    @Test
    @DisplayName(
            "S26: a lower release that is overtaken before it has declared changes nothing, and the higher one stays")
    void overtakenBefore() {
        Machine a = node();
        ReconcileOptions options = ReconcileOptions.DEFAULT;
        Scheduler slow = overtaken(
                "declared",
                () -> a.scheduler().reconcile("shop", List.of(at("j", 10), at("k", 10)), options.release("1.10")));
        ReconcileResult result = slow.reconcile("shop", List.of(at("j", 9)), options.release("1.9"));
        assertOutdated(result, "1.10");
        assertThat(schedule(a, "j")).isEqualTo("0 0 10 * * ?");
        assertThat(isThere(a, "k")).isTrue();
        assertOutdated(a.scheduler().reconcile("shop", List.of(at("j", 9)), options.release("1.9")), "1.10");
    }

    @Test
    @DisplayName(
            "S26: a release that declares again as before, and is overtaken before it has read its jobs, changes nothing")
    void overtakenAgain() {
        Machine a = node();
        ReconcileOptions options = ReconcileOptions.DEFAULT;
        a.scheduler().reconcile("shop", List.of(at("j", 9)), options.release("1.9"));
        Scheduler slow = overtaken(
                "declared",
                () -> a.scheduler().reconcile("shop", List.of(at("j", 10), at("k", 10)), options.release("1.10")));
        ReconcileResult result = slow.reconcile("shop", List.of(at("j", 9)), options.release("1.9"));
        assertOutdated(result, "1.10");
        assertThat(schedule(a, "j")).isEqualTo("0 0 10 * * ?");
        assertThat(isThere(a, "k")).isTrue();
    }

    @Test
    @DisplayName(
            "S26, R13: a lower release that is overtaken while it declares replaces neither the release nor the list")
    void overtakenMeanwhile() {
        Machine a = node();
        ReconcileOptions options = ReconcileOptions.DEFAULT;
        JobSpecification soon = job("once").singleSchedule(START.plusSeconds(5)).build();
        a.scheduler().reconcile("shop", List.of(at("j", 8)), options.release("1.9"));
        Scheduler slow = overtaken(
                "write", () -> a.scheduler().reconcile("shop", List.of(at("j", 10), soon), options.release("1.10")));
        slow.reconcile(
                "shop",
                List.of(
                        at("j", 9),
                        job("later").singleSchedule(START.plusSeconds(7_200)).build()),
                options.release("1.9"));
        assertOutdated(a.scheduler().reconcile("shop", List.of(at("j", 9)), options.release("1.9")), "1.10");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("once")).hasSize(1);
        expire(a, "once");
        a.scheduler().reconcile("shop", List.of(at("j", 10), soon), options.release("1.10"));
        assertThat(isThere(a, "once")).as("it is still known to have ended").isFalse();
        assertThat(schedule(a, "j")).isEqualTo("0 0 10 * * ?");
    }

    private static JobSpecification once() {
        return job("once").singleSchedule(START.plusSeconds(5)).build();
    }

    @Test
    @DisplayName(
            "R13: of two nodes that create a declared one-off together, one is late: it does not create it again after its end")
    void createdTogether() {
        Machine a = node();
        Scheduler slow = overtaken("insert", () -> {
            a.scheduler().reconcile("shop", List.of(once()), false);
            world.pass(Duration.ofSeconds(20));
        });
        assertThat(slow.reconcile("shop", List.of(once()), false).unchanged()).containsExactly("once");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("once")).hasSize(1);
    }

    @Test
    @DisplayName(
            "R13, S10: a job with an initial delay begins that long after its creation, for each node that declares it")
    void initialDelay() {
        Machine a = node();
        JobSpecification daily = job("daily").every(Duration.ofDays(1)).build();
        ReconcileOptions delayed = ReconcileOptions.DEFAULT.initialDelays(Map.of("daily", Duration.ofSeconds(30)));
        Scheduler slow = overtaken("insert", () -> {
            a.scheduler().reconcile("shop", List.of(daily), delayed);
            world.pass(Duration.ofSeconds(20));
        });
        assertThat(slow.reconcile("shop", List.of(daily), delayed).unchanged()).containsExactly("daily");
        world.pass(Duration.ofMinutes(1));
        assertThat(a.scheduler().reconcile("shop", List.of(daily), delayed).isEmpty())
                .as("its beginning has passed")
                .isTrue();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("daily")).hasSize(1);
        assertThat(world.callsOf("daily").get(0).fire()).isEqualTo(START.plusSeconds(30));
        JobSpecification hourly = job("daily").every(Duration.ofHours(1)).build();
        a.scheduler().reconcile("shop", List.of(hourly), delayed);
        assertThat(a.scheduler()
                        .findJobById("daily")
                        .orElseThrow()
                        .specification()
                        .startAt())
                .as("another schedule begins anew")
                .contains(world.time.wall().plusSeconds(30));
        a.scheduler()
                .as("ann", "audit")
                .apply(
                        JobAction.update(job -> job.every(Duration.ofMinutes(10)))
                                .pinned(),
                        JobSelection.keys("daily"));
        world.pass(Duration.ofMinutes(1));
        assertThat(a.scheduler().reconcile("shop", List.of(hourly), delayed).isEmpty())
                .as("a pinned schedule keeps its beginning")
                .isTrue();
    }

    @Test
    @DisplayName("R13: a declared one-off that ends before its update is written is not created again")
    void endedBeforeItsUpdate() {
        Machine a = node();
        a.scheduler().reconcile("shop", List.of(once()), false);
        Scheduler slow = overtaken("list", () -> world.pass(Duration.ofSeconds(20)));
        slow.reconcile("shop", List.of(once().toBuilder().priority(2).build()), false);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("once")).hasSize(1);
    }

    @ParameterizedTest(name = "local {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("R13: a declared one-off whose moment has passed leaves alone its rerun, and the others are declared")
    void rerunOfADeclaredOneOff(boolean local) {
        Machine a = node();
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        LocalDateTime moment = LocalDateTime.ofInstant(START.plusSeconds(5), ZoneOffset.UTC);
        JobSpecification once = local
                ? job("once").singleSchedule(moment).zoneId(ZoneOffset.UTC).build()
                : once();
        a.scheduler().reconcile("shop", List.of(once), false);
        world.pass(Duration.ofMinutes(2));
        a.scheduler().pause(PauseScope.everything(), new Pause("why", "who", null));
        a.scheduler().apply(JobAction.rerun(), JobSelection.keys("once"));
        Job rerun = a.scheduler().findJobById("once", FindScope.LIVE).orElseThrow();
        var other = job("other").every("PT1H").build();
        assertThat(a.scheduler().reconcile("shop", List.of(once, other), false).created())
                .containsExactly("other");
        assertThat(a.scheduler().findJobById("once", FindScope.LIVE)).contains(rerun);
    }

    @Test
    @DisplayName("R13, M2: a job that is declared for another moment, which has passed, is refused")
    void declaredForThePast() {
        Machine a = node();
        var once = job("once").singleSchedule(START.plusSeconds(500));
        a.scheduler().reconcile("shop", List.of(once.build()), false);
        assertThatThrownBy(() -> a.scheduler()
                        .reconcile(
                                "shop",
                                List.of(once.singleSchedule(START.minusSeconds(500))
                                        .build()),
                                false))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("lies before now");
    }

    private static JobSpecification upTo(@Nullable Integer fires) {
        return job("few")
                .schedulingSpecification("0/10 * * * * ?")
                .maxFires(fires)
                .build();
    }

    @ParameterizedTest(name = "then {0}, expired {1}")
    @CsvSource({", false", ", true", "10, false", "10, true"})
    @DisplayName("R13: a declared job that maxFires has ended is created again if it may fire more often, only then")
    void moreFires(@Nullable Integer more, boolean expired) {
        Machine a = node();
        a.scheduler().reconcile("shop", List.of(upTo(3)), false);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(3);
        if (expired) {
            expire(a, "few");
        }
        for (int same : List.of(3, 2)) {
            assertThat(a.scheduler()
                            .reconcile("shop", List.of(upTo(same)), true)
                            .unchanged())
                    .as("%d fires", same)
                    .containsExactly("few");
        }
        assertThat(a.scheduler().reconcile("shop", List.of(upTo(more)), false).created())
                .containsExactly("few");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(3 + (more == null ? 12 : more));
    }

    @Test
    @DisplayName("R13: a declared job without an end that a person has bounded is created again after that end")
    void boundedByAPerson() {
        Machine a = node();
        a.scheduler().reconcile("shop", List.of(upTo(null)), false);
        a.scheduler().as("ann", "audit").apply(JobAction.update(job -> job.maxFires(3)), JobSelection.keys("few"));
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).hasSize(3);
        assertThat(a.scheduler().reconcile("shop", List.of(upTo(null)), false).created())
                .containsExactly("few");
    }

    private static Optional<Integer> mostFires(Machine a) {
        return a.scheduler().findJobById("few").orElseThrow().specification().maxFires();
    }

    @Test
    @DisplayName(
            "R13, M3: a declaration that lowers maxFires to what has fired leaves its job as it is; other jobs are stored")
    void loweredToWhatHasFired() {
        Machine a = node();
        a.scheduler().reconcile("shop", List.of(upTo(9)), false);
        world.pass(Duration.ofSeconds(25));
        assertThat(world.calls).hasSize(2);
        ReconcileResult result = a.scheduler().reconcile("shop", List.of(upTo(2), at("daily", 9)), false);
        assertThat(result.unchanged()).containsExactly("few");
        assertThat(result.created()).containsExactly("daily");
        assertThat(mostFires(a)).contains(9);
    }

    @Test
    @DisplayName("R13, M3: a declaration whose maxFires is reached after it was compared leaves its job as it is")
    void loweredMeanwhile() {
        Machine a = node();
        a.scheduler().reconcile("shop", List.of(upTo(9)), false);
        world.pass(Duration.ofSeconds(25));
        assertThat(world.calls).hasSize(2);
        Scheduler slow = overtaken("find", () -> world.pass(Duration.ofSeconds(10)));
        assertThat(slow.reconcile("shop", List.of(upTo(3)), false).unchanged()).containsExactly("few");
        assertThat(world.calls).hasSize(3);
        assertThat(mostFires(a)).contains(9);
    }

    @Test
    @DisplayName("R13: a person who ends a job by a lower maxFires has ended it; the declaration begins no new one")
    void endedByAPerson() {
        Machine a = node();
        a.scheduler().reconcile("shop", List.of(upTo(9)), false);
        a.scheduler().as("ann", "audit").apply(JobAction.update(job -> job.maxFires(3)), JobSelection.keys("few"));
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).hasSize(3);
        assertThat(a.scheduler().reconcile("shop", List.of(upTo(9)), false).unchanged())
                .containsExactly("few");
    }

    @Test
    @DisplayName(
            "R13: what has come to its end is known also after a release that does not declare it; what that cancels is not")
    void awayForOneRelease() {
        Machine a = node();
        JobSpecification daily = at("daily", 9);
        JobSpecification later =
                job("later").singleSchedule(START.plus(Duration.ofDays(10))).build();
        List<JobSpecification> set = List.of(once(), upTo(3), daily, later);
        a.scheduler().reconcile("shop", set, false);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(4);
        assertThat(a.scheduler()
                        .reconcile("shop", List.of(daily), ReconcileOptions.DEFAULT.allowMassCancel(true))
                        .canceled())
                .containsExactly("later");
        world.pass(Duration.ofMinutes(2));
        expire(a, "once");
        expire(a, "few");
        expire(a, "later");
        ReconcileResult back = a.scheduler().reconcile("shop", set, false);
        assertThat(back.unchanged()).containsExactly("daily", "few", "once");
        assertThat(back.created()).containsExactly("later");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(4);
    }

    @Test
    @DisplayName("R13: of the jobs that are not declared any more, those that were declared last stay in the list")
    void largestList() {
        Machine a = node();
        Map<String, String> former = new LinkedHashMap<>();
        IntStream.range(0, 9_000).forEach(i -> former.put(i + "x".repeat(200), "a fingerprint"));
        world.store.cluster().declare("shop", DeclaredJobs.NONE.next(null, former));
        a.scheduler().reconcile("shop", List.of(once()), false);
        a.scheduler().reconcile("shop", List.of(upTo(3)), ReconcileOptions.DEFAULT.keepUndeclared(true));
        List<String> known =
                List.copyOf(world.store.cluster().declared("shop").schedules().keySet());
        assertThat(known).hasSizeBetween(8_000, 8_500).startsWith("few", "once", "0" + "x".repeat(200));
        assertThat(a.scheduler()
                        .reconcile("shop", List.of(upTo(3)), ReconcileOptions.DEFAULT.keepUndeclared(true))
                        .isEmpty())
                .isTrue();
        assertThat(world.store.cluster().declared("shop").version())
                .as("what is known is not written again")
                .isEqualTo(3);
    }

    @ParameterizedTest(name = "local {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("R13: going back to a release whose one-off was cancelled, and is of the past, declares the others")
    void canceledAndOfThePast(boolean local) {
        Machine a = node();
        Instant past = START.plus(Duration.ofMinutes(5));
        JobSpecification once = local
                ? job("once")
                        .singleSchedule(LocalDateTime.ofInstant(past, ZoneOffset.UTC))
                        .build()
                : job("once").singleSchedule(past).build();
        a.scheduler().reconcile("shop", List.of(once, at("other", 9)), false);
        a.scheduler().reconcile("shop", List.of(at("other", 9)), false);
        world.pass(Duration.ofMinutes(10));
        expire(a, "once");
        ReconcileResult result = a.scheduler().reconcile("shop", List.of(once, at("other", 9), at("daily", 9)), false);
        assertThat(result.created()).containsExactly("daily");
        assertThat(result.unchanged()).containsExactly("once", "other");
        assertThat(isThere(a, "once")).isFalse();
    }

    @Test
    @DisplayName("R13: a declared one-off that was cancelled before it could run is created again, in its next life")
    void canceledBefore() {
        Machine a = node();
        a.scheduler().reconcile("shop", List.of(once()), false);
        a.scheduler().cancelJob("once");
        assertThat(a.scheduler().reconcile("shop", List.of(once()), false).created())
                .containsExactly("once");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("once")).hasSize(1);
    }

    @Test
    @DisplayName(
            "R13: a declared job of now runs once: not again for a node that declares it during its run or after it")
    void declaredForNow() {
        Machine a = node();
        world.work = call -> world.after(Duration.ofSeconds(30));
        List<JobSpecification> set = List.of(job("now").now().build());
        Scheduler slow = overtaken("insert", () -> {
            a.scheduler().reconcile("shop", set, false);
            world.pass(Duration.ofSeconds(5));
            assertThat(client(world.store).reconcile("shop", set, false).unchanged())
                    .as("during its run")
                    .containsExactly("now");
            world.pass(Duration.ofMinutes(1));
        });
        assertThat(slow.reconcile("shop", set, false).unchanged()).containsExactly("now");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("now")).hasSize(1);
        JobSpecification later =
                job("later").singleSchedule(START.plusSeconds(9_000)).build();
        a.scheduler().reconcile("shop", List.of(set.get(0), later), false);
        assertThat(a.scheduler()
                        .reconcile(
                                "shop", List.of(set.get(0), job("later").now().build()), false)
                        .updated())
                .as("one that lies ahead is moved to now")
                .containsExactly("later");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("later")).hasSize(1);
    }

    private static String schedule(Machine a, String key) {
        return a.scheduler()
                .findJobById(key)
                .orElseThrow()
                .specification()
                .schedulingSpecification()
                .orElseThrow();
    }

    @Test
    @DisplayName("S10: a job that is not declared any more can be kept; what is declared is created and updated")
    void keptUndeclared() {
        Machine a = node();
        JobSpecification j = job("j").schedulingSpecification("0 0 9 * * ?").build();
        JobSpecification k = job("k").schedulingSpecification("0 0 9 * * ?").build();
        a.scheduler().reconcile("shop", List.of(j), false);
        ReconcileResult result =
                a.scheduler().reconcile("shop", List.of(k), ReconcileOptions.DEFAULT.keepUndeclared(true));
        assertThat(result.canceled()).isEmpty();
        assertThat(result.kept()).as("and it is named").containsExactly("j");
        assertThat(result.created()).containsExactly("k");
        assertThat(a.scheduler().findJobById("j")).isPresent();
    }

    @Test
    @DisplayName("R13: a job that is running its last fire is cancelled once, not by each reconcile")
    void canceledOnce() {
        Machine a = node();
        world.work = call -> world.after(Duration.ofSeconds(30));
        a.scheduler()
                .reconcile(
                        "shop",
                        List.of(job("j").schedulingSpecification("0 * * * * ?").build()),
                        false);
        world.pass(Duration.ofSeconds(65));
        assertThat(a.scheduler()
                        .reconcile("shop", List.of(), ReconcileOptions.DEFAULT.allowMassCancel(true))
                        .canceled())
                .containsExactly("j");
        int rows = a.scheduler().history("j").size();
        assertThat(a.scheduler().reconcile("shop", List.of(), false).canceled()).isEmpty();
        assertThat(a.scheduler().history("j")).hasSize(rows);
    }

    @Test
    @DisplayName(
            "R13, 15.2: a declared one-off that was cancelled is left alone once its moment has passed, not before")
    void canceledAndPast() {
        Machine a = world.node("a");
        List<JobSpecification> set = List.of(
                job("ever").schedulingSpecification("0 0/5 * * * ?").build(),
                job("once").singleSchedule(START.plus(Duration.ofMinutes(5))).build());
        a.scheduler().reconcile("shop", set, false);
        a.scheduler().cancelJob("once");
        assertThat(a.scheduler().reconcile("shop", set, true).created())
                .as("it can still run")
                .containsExactly("once");
        world.pass(Duration.ofMinutes(10));
        ReconcileResult past = a.scheduler().reconcile("shop", set, false);
        assertThat(past.unchanged()).containsExactly("ever", "once");
        assertThat(world.callsOf("once")).isEmpty();
        assertThatThrownBy(() -> a.scheduler().reconcile("bank", List.of(set.get(1)), false))
                .as("for another application it is a job that can never run")
                .isInstanceOf(InvalidJobException.class);
        List<JobSpecification> moved = List.of(
                set.get(0),
                job("once").singleSchedule(world.time.wall().plusSeconds(60)).build());
        assertThat(a.scheduler().reconcile("shop", moved, false).created()).containsExactly("once");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("once")).hasSize(1);
    }

    @Test
    @DisplayName("R13: a live job of another application is neither replaced nor cancelled")
    void others() {
        Machine a = node();
        a.scheduler()
                .reconcile(
                        "bank",
                        List.of(job("j").schedulingSpecification("0 * * * * ?").build()),
                        false);
        assertThatThrownBy(() -> a.scheduler()
                        .reconcile(
                                "shop",
                                List.of(job("j").schedulingSpecification("5 * * * * ?")
                                        .build()),
                                false))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("applicationTag 'bank' owns the live job of this key")
                .hasMessageContaining("use another key, or cancel that job");
        a.scheduler().reconcile("shop", List.of(), false);
        assertThat(a.scheduler().findJobById("j").orElseThrow().specification().applicationTag())
                .contains("bank");
    }

    @Test
    @DisplayName(
            "R13: one error has what is wrong with the tags of jobs and with the jobs themselves, with keys and fields")
    void wrongTags() {
        List<JobSpecification> set = List.of(
                job("a").schedulingSpecification("0 * * * * ?")
                        .applicationTag("bank")
                        .build(),
                job("b".repeat(256)).schedulingSpecification("x").build());
        assertThatThrownBy(() -> node().scheduler().reconcile("shop", set, false))
                .hasMessageContaining("a: applicationTag 'bank' is not 'shop'")
                .hasMessageContaining("b".repeat(256) + ": schedulingSpecification 'x'");
    }

    @Test
    @DisplayName("M2: a job of now fires at the moment at which it is stored, whatever the clock of its client says")
    void now() {
        Machine behind = world.node("b", world.store, Duration.ofMinutes(-10), builder -> builder);
        behind.scheduler()
                .scheduleJob(JobSpecification.now("now", new Note("now")).toBuilder()
                        .jobRequestor("tests")
                        .triggerIdentifier("n")
                        .build());
        world.pass(Duration.ofSeconds(2));
        assertThat(world.callsOf("now"))
                .singleElement()
                .satisfies(call -> assertThat(call.fire()).isBetween(START.minusSeconds(1), START.plusSeconds(1)));
        assertThat(behind.scheduler().history("now")).hasSize(2);
    }
}
