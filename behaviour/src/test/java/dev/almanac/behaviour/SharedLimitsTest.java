package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Problem;
import dev.almanac.model.StandingPause;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What all nodes read whole has a limit, and one clear refusal beyond it; the same over every kind of store. */
class SharedLimitsTest extends OverStores {
    private static Pause until(Instant end) {
        return new Pause("holiday", "ann", end);
    }

    private void pauseTags(int from, int to, Instant since, Instant end) {
        for (int i = from; i < to; i++) {
            world.store.cluster().pause(new StandingPause(PauseScope.tag("t" + i), until(end), since), null);
        }
    }

    @Test
    @DisplayName("16.2: there are 1 000 pauses at most; one more is refused, a newer one of the same scope is not")
    void pauses() {
        Machine a = world.node("a");
        pauseTags(0, 999, START, null);
        a.scheduler().pause(PauseScope.commandType("note"), Pause.because("audit"));
        assertThatThrownBy(() -> a.scheduler().pause(PauseScope.tag("more"), Pause.because("audit")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'tag:more' was not paused: there are 1000 pauses");
        a.scheduler().pause(PauseScope.tag("t0"), Pause.because("still"));
        assertThat(a.scheduler().pauses())
                .hasSize(1_000)
                .noneMatch(pause -> pause.scope().equals(PauseScope.tag("more")));
        a.scheduler().resume(PauseScope.tag("t7"));
        a.scheduler().pause(PauseScope.tag("more"), Pause.because("audit"));
        assertThat(a.scheduler().pauses()).hasSize(1_000);
    }

    @Test
    @DisplayName(
            "16.2: pauses that ended by themselves a day ago are removed; those in force are not, whatever their age")
    void endedPauses() {
        pauseTags(0, 3, START, START.plusSeconds(60));
        pauseTags(3, 5, START, START.plus(Duration.ofDays(9)));
        world.store
                .cluster()
                .pause(new StandingPause(PauseScope.node("n1"), until(START.plusSeconds(60)), START), null);
        try (Scheduler client = client(world.store)) {
            world.time.advance(StandingPause.KEPT.plusSeconds(59));
            client.pause(PauseScope.tag("x"), Pause.because("audit"));
            assertThat(world.store.cluster().control().pauses()).hasSize(7);
            world.time.advance(Duration.ofSeconds(2));
            client.pause(PauseScope.tag("x"), Pause.because("audit"));
            assertThat(world.store.cluster().control().pauses())
                    .extracting(StandingPause::scope)
                    .containsExactlyInAnyOrder(PauseScope.tag("t3"), PauseScope.tag("t4"), PauseScope.tag("x"));
        }
    }

    @Test
    @DisplayName("16.2: pauses that ended by themselves count for a day, and keep none from being stored after that")
    void endedPausesAtTheLimit() {
        pauseTags(0, 1_000, START, START.plusSeconds(60));
        try (Scheduler client = client(world.store)) {
            world.time.advance(StandingPause.KEPT.plusSeconds(59));
            assertThatThrownBy(() -> client.pause(PauseScope.tag("x"), Pause.because("audit")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there are 1000 pauses")
                    .hasMessageContaining("with those that ended by themselves within a day");
            world.time.advance(Duration.ofSeconds(2));
            client.pause(PauseScope.tag("x"), Pause.because("audit"));
            assertThat(world.store.cluster().control().pauses())
                    .extracting(StandingPause::scope)
                    .containsExactly(PauseScope.tag("x"));
        }
    }

    @Test
    @DisplayName("16.2: the reason of a pause has at most 1 000 characters, of a job and of a kind; a longer one pauses"
            + " nothing")
    void longReasons() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        for (PauseScope scope : List.of(PauseScope.job("j"), PauseScope.tag("t"), PauseScope.everything())) {
            assertThatThrownBy(() -> a.scheduler().pause(scope, Pause.because("x".repeat(1_001))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1001 characters");
        }
        assertThatThrownBy(() -> a.scheduler().pause(PauseScope.tag("x".repeat(1_000)), Pause.because("y")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no tag, type or node has a name of 1004 characters");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).hasSize(2);
        a.scheduler().pause(PauseScope.job("j"), Pause.because("x".repeat(1_000)));
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).hasSize(2);
    }

    @Test
    @DisplayName("16.2, R13: a list of declared one-offs that would not fit is refused before anything is written")
    void declared() {
        Machine a = world.node("a");
        List<JobSpecification> declared = IntStream.range(0, 2_900)
                .mapToObj(i -> job("\u6f22".repeat(240) + String.format("%06d", i))
                        .singleSchedule(START.plusSeconds(60))
                        .build())
                .toList();
        assertThatThrownBy(() -> a.scheduler().reconcile("tills", declared, false))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("jobs '2900' the list of the jobs that end by themselves has")
                .hasMessageContaining("more than 2097152");
        assertThat(a.scheduler().listJobs(JobQuery.all()).jobs()).isEmpty();
        assertThat(a.scheduler()
                        .reconcile("tills", declared.subList(0, 50), false)
                        .created())
                .hasSize(50);
    }

    /** A node for which each definition is a calendar, whatever its size. */
    private Machine readingAnyCalendar() {
        return world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(definition -> MinuteCalendar.read(Map.of("minutes", "2"))));
    }

    @Test
    @DisplayName("16.2, C5: a calendar is stored up to 1 MiB, all of them up to 16 MiB; beyond that nothing is written")
    void calendars() {
        Machine a = readingAnyCalendar();
        assertThatThrownBy(() -> a.scheduler().calendars().put("c", Map.of("text", "x".repeat(1 << 20))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("calendar 'c' was not stored")
                .hasMessageContaining("at most 256 and 1048576 are kept");
        assertThatThrownBy(() -> a.scheduler().calendars().put("c".repeat(257), excluding("2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its name has 257 characters");
        Map<String, Object> large = Map.of("text", "x".repeat((1 << 20) - 100));
        for (int i = 0; i < 16; i++) {
            a.scheduler().calendars().put("c" + i, large);
        }
        assertThatThrownBy(() -> a.scheduler().calendars().put("c16", large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 16777216 bytes together");
        assertThat(a.scheduler().calendars().check("c16", large))
                .as("a check refuses what would be refused")
                .singleElement()
                .extracting(Problem::advice)
                .asString()
                .contains("more than 16777216 bytes together");
        assertThat(a.scheduler().calendars().check("c3", large)).isEmpty();
        a.scheduler().calendars().put("c3", Map.of("text", "x".repeat((1 << 20) - 99)));
        assertThat(a.scheduler().calendars().list()).hasSize(16);
        a.scheduler().calendars().delete("c5");
        a.scheduler().calendars().put("c16", large);
    }

    @Test
    @DisplayName("16.2, C5: calendars that have more than 16 MiB together can be edited as long as none becomes larger")
    void calendarsBeyond() {
        Machine a = readingAnyCalendar();
        int size = (1 << 20) - 100;
        for (int i = 0; i < 17; i++) {
            Map<String, Object> large = Map.of("text", "x".repeat(size));
            assertThat(world.store.cluster().putCalendar(new StoredCalendar("c" + i, 1, large, START, "ann", false)))
                    .as("an editor that saw one less")
                    .isTrue();
        }
        assertThat(a.scheduler()
                        .calendars()
                        .put("c3", Map.of("text", "y".repeat(size)))
                        .calendar()
                        .version())
                .isEqualTo(2);
        assertThatThrownBy(() -> a.scheduler().calendars().put("c3", Map.of("text", "y".repeat(size + 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 16777216 bytes together");
        assertThatThrownBy(() -> a.scheduler().calendars().put("new", Map.of("text", "y")))
                .hasMessageContaining("calendar 'new' was not stored");
        a.scheduler().calendars().put("c4", Map.of("text", "y"));
        a.scheduler().calendars().put("c3", Map.of("text", "y".repeat(size + 1)));
    }

    @Test
    @DisplayName("16.2: of removed groups at most 1 000 more are remembered, and those for 35 days")
    void groups() {
        GroupLimits two = new GroupLimits(2, null);
        for (int i = 0; i < 2_000; i++) {
            StoredGroup group = new StoredGroup("g" + i, 1, two, START, "ann");
            StoredGroup removed = StoredGroup.unlisted("g" + i).tombstone(START, "ann");
            assertThat(world.store.cluster().putGroup(i < 1_500 ? removed : group))
                    .isTrue();
        }
        try (Scheduler client = client(world.store)) {
            assertThatThrownBy(() -> client.groups().put("more", two))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("group 'more' was not stored: 2000 groups are kept");
            assertThat(client.groups().put("g1999", new GroupLimits(3, null)).version())
                    .isEqualTo(2);
            world.time.advance(StoredGroup.REMEMBERED);
            assertThatThrownBy(() -> client.groups().put("more", two)).hasMessageContaining("2000 groups are kept");
            world.time.advance(Duration.ofSeconds(1));
            client.groups().put("more", two);
            assertThat(world.store.cluster().control().groups()).hasSize(501).containsKeys("g1500", "g1999", "more");
        }
    }
}
