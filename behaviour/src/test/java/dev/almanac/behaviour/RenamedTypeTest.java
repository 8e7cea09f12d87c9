package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A command type gets another name while jobs of the old one are stored. */
class RenamedTypeTest {
    record Letter(String to) implements SchedulingCommand {}

    private final World world = new World(0, InMemoryJobStore::new);
    private final List<String> told = new ArrayList<>();

    private Machine node(String name, CommandType<Letter> type) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.serviceName("mail")
                        .command(
                                type,
                                SchedulingHelper.of(
                                        Letter.class, (letter, run) -> told.add(name + " " + letter.to()))));
    }

    @Test
    @DisplayName("one-offs that were stored under the old name run on a node that knows it as an alias")
    void alias() {
        Machine before = node("old", CommandType.of("send-letter", 1, Letter.class));
        before.scheduler().scheduleJob(JobSpecification.oneOff("k", START.plusSeconds(60), new Letter("ann")));
        before.scheduler().close();
        Machine after = node("new", CommandType.of("letter", 1, Letter.class).alias("send-letter"));
        after.scheduler().scheduleJob(JobSpecification.oneOff("l", START.plusSeconds(60), new Letter("ben")));
        assertThat(after.scheduler().findJobById("l").orElseThrow().toString()).contains("l");
        world.pass(Duration.ofMinutes(2));
        assertThat(told).containsExactlyInAnyOrder("new ann", "new ben");
    }

    @Test
    @DisplayName("R8: also where each helper names its types, jobs under the old name are claimed")
    void aliasOfTypedHelpers() {
        Machine before = node("old", CommandType.of("send-letter", 1, Letter.class));
        before.scheduler().scheduleJob(JobSpecification.oneOff("k", START.plusSeconds(60), new Letter("ann")));
        before.scheduler().close();
        ManualLanes.Node own = world.lanes.node();
        try (Scheduler after = Scheduler.builder()
                .store(world.store)
                .time(world.time)
                .lanes(own)
                .executor(own::execute)
                .serviceName("mail")
                .command(
                        CommandType.of("letter", 1, Letter.class).alias("send-letter"),
                        SchedulingHelper.of(Letter.class, (letter, run) -> told.add("typed " + letter.to())))
                .build()
                .start()) {
            world.pass(Duration.ofMinutes(2));
            assertThat(told).containsExactly("typed ann");
            assertThat(after.findJobById("k")).isEmpty();
        }
    }

    @Test
    @DisplayName("without the alias the node leaves them alone")
    void noAlias() {
        Machine before = node("old", CommandType.of("send-letter", 1, Letter.class));
        before.scheduler().scheduleJob(JobSpecification.oneOff("k", START.plusSeconds(60), new Letter("ann")));
        before.scheduler().close();
        node("new", CommandType.of("letter", 1, Letter.class));
        world.pass(Duration.ofMinutes(2));
        assertThat(told).isEmpty();
    }

    @Test
    @DisplayName("an alias that is the name of another type is refused when the scheduler is built")
    void taken() {
        record Parcel() implements SchedulingCommand {}
        assertThatThrownBy(() -> Scheduler.builder()
                        .store(world.store)
                        .command(CommandType.of("letter", 1, Letter.class).alias("parcel"))
                        .command("parcel", 1, Parcel.class)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parcel");
    }
}
