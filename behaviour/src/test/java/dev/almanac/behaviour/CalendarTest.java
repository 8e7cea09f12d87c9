package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.calendars.Calendars;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerEvent.JobReplanned;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Outcome;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calendars that are stored and edited while jobs live (rule C5): the same over memory and a real server. */
class CalendarTest extends OverStores {
    private static final String EACH_MINUTE = "0 * * * * ?";

    private Machine node(String name) {
        return world.node(name, world.store, Duration.ZERO, CalendarTest::reading);
    }

    private static SchedulerBuilder reading(SchedulerBuilder builder) {
        return builder.calendarReader(CalendarTest::minutes);
    }

    /** The definitions of these tests: a list of excluded minutes, or everything. */
    private static ExclusionCalendar minutes(Map<String, Object> definition) {
        if (definition.get("minutes") instanceof List<?> minutes) {
            String list = minutes.stream().map(String::valueOf).collect(Collectors.joining(","));
            return Calendars.cron("* " + list + " * * * ?");
        }
        if (definition.containsKey("everything")) {
            return Calendars.cron("* * * * * ?");
        }
        throw new IllegalArgumentException("neither minutes nor everything in " + definition);
    }

    private static Map<String, Object> excluding(Integer... minutes) {
        return Map.of("minutes", List.of(minutes));
    }

    private static Instant nextOf(Scheduler scheduler, String key) {
        return scheduler.findJobById(key).orElseThrow().nextFireTime();
    }

    private static final Instant FIRST = START.plusSeconds(60);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    @DisplayName("C5: an edit moves the next fires of its jobs, counted from the last planned fire; others stay")
    void edit() {
        Machine a = node("a");
        Machine b = node("b");
        a.scheduler().calendars().put("bank", excluding(2));
        a.scheduler()
                .scheduleJob(job("with")
                        .schedulingSpecification(EACH_MINUTE)
                        .calendar("bank")
                        .build());
        a.scheduler()
                .scheduleJob(job("without").schedulingSpecification(EACH_MINUTE).build());
        assertThat(nextOf(a.scheduler(), "with")).isEqualTo(FIRST);
        world.pass(Duration.ofSeconds(90));
        assertThat(nextOf(a.scheduler(), "with"))
                .as("minute 2 is excluded")
                .isEqualTo(FIRST.plus(MINUTE.multipliedBy(2)));
        var edit = b.scheduler().calendars().put("bank", excluding(3));
        assertThat(edit.calendar().version()).isEqualTo(2);
        assertThat(edit.jobs().moved()).isEqualTo(1);
        assertThat(nextOf(a.scheduler(), "with")).as("minute 2 is open again").isEqualTo(FIRST.plus(MINUTE));
        assertThat(a.scheduler().history("with").get(0).outcome()).isEqualTo(Outcome.REPLANNED);
        world.pass(Duration.ZERO);
        assertThat(b.events()).filteredOn(JobReplanned.class::isInstance).hasSize(1);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("with"))
                .extracting(Call::fire)
                .containsExactly(FIRST, FIRST.plus(MINUTE), FIRST.plus(MINUTE.multipliedBy(3)));
        assertThat(world.callsOf("without")).hasSize(4);
    }

    @Test
    @DisplayName("C5: an equal definition changes nothing; a bad one is refused with its reason and nothing is stored")
    void refused() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding(2));
        assertThat(a.scheduler()
                        .calendars()
                        .put("bank", excluding(2))
                        .calendar()
                        .version())
                .isEqualTo(1);
        assertThatThrownBy(() -> a.scheduler().calendars().put("bank", Map.of("x", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither minutes nor everything");
        assertThat(a.scheduler().calendars().list())
                .singleElement()
                .satisfies(stored -> assertThat(stored.version()).isEqualTo(1));
        assertThatThrownBy(() -> a.scheduler()
                        .scheduleJob(job("j").schedulingSpecification(EACH_MINUTE)
                                .calendar("unknown")
                                .build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("unknown")
                .hasMessageContaining("bank");
    }

    @Test
    @DisplayName("C5: a calendar in use is not deleted; one that is not, is")
    void delete() {
        Machine a = node("a");
        Machine b = node("b");
        a.scheduler().calendars().put("bank", excluding(2));
        b.scheduler()
                .scheduleJob(job("user")
                        .schedulingSpecification(EACH_MINUTE)
                        .calendar("bank")
                        .build());
        assertThatThrownBy(() -> a.scheduler().calendars().delete("bank"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'user'");
        b.scheduler().cancelJob("user");
        assertThat(a.scheduler().calendars().delete("bank")).isTrue();
        assertThat(a.scheduler().calendars().delete("bank")).isFalse();
        assertThat(b.scheduler().calendars().list()).isEmpty();
    }

    @Test
    @DisplayName("C5: an edit that leaves a job no fire blocks it, visibly, until another edit gives it one")
    void blocked() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding(2));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EACH_MINUTE)
                        .calendar("bank")
                        .build());
        var edit = a.scheduler().calendars().put("bank", Map.of("everything", true));
        assertThat(edit.jobs().blocked()).isEqualTo(1);
        assertThat(a.scheduler().findJobById("j").orElseThrow().blocked()).contains("calendars leave it no fire");
        assertThat(a.scheduler().explainJob("j").headline())
                .as("where the search has ended, not that there is nothing beyond")
                .contains("leave it no fire within 20 years or 600000 excluded fires");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).isEmpty();
        assertThat(a.events())
                .as("log, metrics and alerts hear of it, once")
                .filteredOn(SchedulerEvent.JobBlocked.class::isInstance)
                .singleElement()
                .asString()
                .contains("calendars leave it no fire");
        a.scheduler().calendars().put("bank", excluding(4));
        assertThat(a.scheduler().findJobById("j").orElseThrow().blocked()).isNull();
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("j"))
                .isNotEmpty()
                .allSatisfy(call -> assertThat(call.fire()).isNotEqualTo(FIRST.plus(MINUTE.multipliedBy(3))));
    }

    @Test
    @DisplayName(
            "M2, C5: a job that its calendars leave no fire is refused with a message that says how far the search went")
    void leftWithoutAFire() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", Map.of("everything", true));
        assertThatThrownBy(() -> a.scheduler()
                        .scheduleJob(job("j").schedulingSpecification(EACH_MINUTE)
                                .calendar("bank")
                                .build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(
                        "does not fire within its bounds, 20 years or 600000 excluded fires, and calendars [bank]");
        assertThat(a.scheduler().findJobById("j")).isEmpty();
    }

    @Test
    @DisplayName("C5: an edit while the job runs does not touch the run; what follows is planned by the new calendar")
    void editDuringRun() {
        Machine a = node("a");
        Machine b = node("b");
        a.scheduler().calendars().put("bank", excluding(0));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EACH_MINUTE)
                        .calendar("bank")
                        .build());
        world.work = call -> world.after(Duration.ofSeconds(20));
        world.pass(Duration.ofSeconds(65));
        assertThat(world.calls).hasSize(1);
        b.scheduler().calendars().put("bank", excluding(2));
        a.scheduler()
                .scheduleJob(job("other").singleSchedule(START.plusSeconds(70)).build());
        world.pass(Duration.ofSeconds(20));
        assertThat(nextOf(a.scheduler(), "j")).isEqualTo(FIRST.plus(MINUTE.multipliedBy(2)));
    }

    @Test
    @DisplayName("R8: a node that cannot read a calendar leaves its jobs to those that can")
    void unreadable() {
        Machine able = node("able");
        Machine unable = world.node("unable");
        able.scheduler().calendars().put("bank", excluding(2));
        able.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EACH_MINUTE)
                        .calendar("bank")
                        .build());
        able.lanes().close();
        world.pass(Duration.ofSeconds(100));
        assertThat(world.calls).isEmpty();
        assertThat(unable.scheduler().findJobById("j")).isPresent();
        node("second");
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("j")).isNotEmpty().extracting(Call::node).containsOnly("second");
    }
}
