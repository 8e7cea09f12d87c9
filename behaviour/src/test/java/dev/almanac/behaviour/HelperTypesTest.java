package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule R8: what a node claims, when its helpers say beforehand what they support. */
class HelperTypesTest {
    /** A type that the node knows because it schedules it. */
    record Other(String text) implements SchedulingCommand {}

    private final World world = new World(0, InMemoryJobStore::new);
    private final List<String> ran = new ArrayList<>();
    private final List<SchedulerEvent> events = new ArrayList<>();

    private SchedulingHelper typed(Set<Class<? extends SchedulingCommand>> types) {
        return new SchedulingHelper() {
            @Override
            public Optional<Set<Class<? extends SchedulingCommand>>> commandTypes() {
                return Optional.of(types);
            }

            @Override
            public boolean supports(SchedulingCommand command) {
                return types.contains(command.getClass());
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                ran.add(id);
                return CompletableFuture.completedFuture(null);
            }
        };
    }

    private Scheduler node(SchedulingHelper... helpers) {
        var own = world.lanes.node();
        var builder = Scheduler.builder()
                .store(world.store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .lanes(own)
                .executor(own::execute)
                .command("note", 1, World.Note.class)
                .command("other", 1, Other.class)
                .listener(events::add);
        List.of(helpers).forEach(builder::helper);
        return builder.build().start();
    }

    private void scheduleBoth(Scheduler scheduler) {
        scheduler.scheduleJob(job("note").singleSchedule(START.plusSeconds(1)).build());
        scheduler.scheduleJob(job("other")
                .triggerCommand(new Other("o"))
                .singleSchedule(START.plusSeconds(1))
                .build());
    }

    @Test
    @DisplayName("R8: a node whose helpers all say what they support claims no job of another type")
    void typed() {
        Scheduler a = node(typed(Set.of(World.Note.class)));
        scheduleBoth(a);
        world.pass(Duration.ofSeconds(30));
        assertThat(ran).containsExactly("id-note");
        assertThat(events).noneMatch(SchedulerEvent.ClaimReleased.class::isInstance);
        node(typed(Set.of(World.Note.class)), typed(Set.of(Other.class)));
        world.pass(Duration.ofSeconds(10));
        assertThat(ran).containsExactly("id-note", "id-other");
    }

    @Test
    @DisplayName("R8: with one helper that does not say, the node claims all types that it knows")
    void untyped() {
        scheduleBoth(node(typed(Set.of(World.Note.class)), new SchedulingHelper() {
            @Override
            public boolean supports(SchedulingCommand command) {
                return command instanceof Other;
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                ran.add("any " + id);
                return CompletableFuture.completedFuture(null);
            }
        }));
        world.pass(Duration.ofSeconds(10));
        assertThat(ran).containsExactlyInAnyOrder("id-note", "any id-other");
    }

    @Test
    @DisplayName("R8: a node without helpers claims nothing")
    void none() {
        scheduleBoth(node());
        world.pass(Duration.ofSeconds(30));
        assertThat(events).noneMatch(SchedulerEvent.BatchClaimed.class::isInstance);
        assertThat(world.store
                        .find("note", dev.almanac.model.FindScope.LIVE)
                        .orElseThrow()
                        .due())
                .isEqualTo(START.plusSeconds(1));
    }
}
