package dev.almanac.behaviour.explore;

import static dev.almanac.behaviour.ExploredWorld.job;
import static dev.almanac.behaviour.ExploredWorld.note;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.ExploredWorld;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A short script: what users ask for, and when. Nothing is drawn, and it comes to an end by itself. */
enum Scenario {
    ONE_OFF(world -> world.schedule(job("job", note(2_000, 0)).singleSchedule(in(5)))),
    RETRY(world -> world.schedule(job("job", note(0, 1))
            .retryPolicy(RetryPolicy.fixed(2, Duration.ofSeconds(3)))
            .singleSchedule(in(5)))),
    RECURRING(world -> world.schedule(job("job", note(1_000, 0)).schedulingSpecification("30/20 * * * * ?").endAt(ExploredWorld.END)));

    private final Consumer<ExploredWorld> script;
    private final UnaryOperator<SchedulerBuilder> nodes;

    Scenario(Consumer<ExploredWorld> script) {
        this(script, builder -> builder);
    }

    Scenario(Consumer<ExploredWorld> script, UnaryOperator<SchedulerBuilder> nodes) {
        this.script = script;
        this.nodes = nodes;
    }

    /** What is special about its nodes. */
    UnaryOperator<SchedulerBuilder> nodes() {
        return nodes;
    }

    /** One node starts, and the script begins. */
    void begin(ExploredWorld world) {
        world.node();
        script.accept(world);
    }

    private static Instant in(int seconds) {
        return ExploredWorld.START.plusSeconds(seconds);
    }

    private static Duration after(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
