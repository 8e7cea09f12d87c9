package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default calendar of an application: what recurring jobs get that name no calendar (chapter 16). */
class DefaultCalendarTest extends LifecycleFixture {
    private static final Instant FIRST = START.plusSeconds(60);
    private static final Instant OPEN = START.plusSeconds(360);

    private Machine plain;

    @BeforeEach
    void store() {
        plain = node("plain", null);
        plain.scheduler().calendars().put("bank", excluding("1-5"));
        plain.scheduler().calendars().put("shop", excluding("1-7"));
    }

    private Machine node(String name, String setting) {
        return world.node(name, world.store, Duration.ZERO, builder -> {
            builder.calendarReader(MinuteCalendar::read);
            return setting == null ? builder : builder.defaultCalendar(setting);
        });
    }

    private static JobSpecification minutely(String key) {
        return job(key).schedulingSpecification("0 * * * * ?").build();
    }

    private Instant next(String key) {
        return document(key).plan().nextFireTime();
    }

    private List<String> calendars(String key) {
        return document(key).specification().calendars();
    }

    private long version(String key) {
        return document(key).specification().version();
    }

    @Test
    @DisplayName(
            "16: the setting is applied when a recurring job is stored that names no calendar, and to no other job")
    void applied() {
        Scheduler a = node("a", "bank").scheduler();
        a.scheduleJob(minutely("j"));
        a.scheduleJob(minutely("named").toBuilder().calendar("shop").build());
        a.scheduleJob(minutely("free").toBuilder().ignoreDefaultCalendar(true).build());
        a.scheduleJob(job("once").singleSchedule(FIRST).build());
        assertThat(calendars("j")).containsExactly("bank");
        assertThat(next("j")).isEqualTo(OPEN);
        assertThat(calendars("named")).containsExactly("shop");
        assertThat(calendars("free")).isEmpty();
        assertThat(calendars("once")).isEmpty();
        assertThat(a.previewFireTimes(minutely("preview"), 1))
                .extracting(FirePreview::reason)
                .containsExactly(FirePreview.Reason.EXCLUDED);
        world.pass(Duration.ofSeconds(361));
        assertThat(world.callsOf("j")).extracting(Call::fire).containsExactly(OPEN);
        assertThat(world.callsOf("free")).hasSize(6);
        assertThat(world.callsOf("once")).hasSize(1);
    }

    @Test
    @DisplayName("16, S1: a job that gets or loses the flag fires by its new calendars")
    void flagged() {
        Scheduler a = node("a", "bank").scheduler();
        a.scheduleJob(minutely("j"));
        a.updateJob(minutely("j").toBuilder().ignoreDefaultCalendar(true).build());
        assertThat(calendars("j")).isEmpty();
        assertThat(next("j")).isEqualTo(FIRST);
        a.updateJob(minutely("j"));
        assertThat(calendars("j")).containsExactly("bank");
        assertThat(next("j")).isEqualTo(OPEN);
        a.apply(JobAction.update(job -> job.ignoreDefaultCalendar(true)), JobSelection.keys("j"));
        assertThat(calendars("j")).isEmpty();
        assertThat(next("j")).isEqualTo(FIRST);
    }

    @Test
    @DisplayName("16, M3: contents are compared after it is applied: the same job again is no change")
    void compared() {
        Scheduler a = node("a", "bank").scheduler();
        a.scheduleJob(minutely("j"));
        a.scheduleJob(minutely("j"));
        a.scheduleJob(minutely("j").toBuilder().calendar("bank").build());
        assertThat(version("j")).isEqualTo(1);
        node("b", "shop").scheduler().scheduleJob(minutely("j"));
        assertThat(version("j")).as("another setting is a change").isEqualTo(2);
        assertThat(calendars("j")).containsExactly("shop");
    }

    @ParameterizedTest(name = "at first {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("16, R13: a declared job that has ended is created again when it gets or loses the flag, only then")
    void declaredAnew(boolean flag) {
        Scheduler a = node("a", "bank").scheduler();
        JobSpecification few = minutely("few").toBuilder()
                .maxFires(2)
                .ignoreDefaultCalendar(flag)
                .build();
        a.reconcile("shop", List.of(few), false);
        world.pass(Duration.ofMinutes(9));
        assertThat(world.callsOf("few")).hasSize(2);
        assertThat(a.reconcile("shop", List.of(few), false).created()).isEmpty();
        JobSpecification other = few.toBuilder().ignoreDefaultCalendar(!flag).build();
        assertThat(a.reconcile("shop", List.of(other), false).created()).containsExactly("few");
        world.pass(Duration.ofMinutes(9));
        assertThat(world.callsOf("few")).hasSize(4);
    }

    @Test
    @DisplayName(
            "16: a process without the setting leaves it alone, by each of its doors; what a job names itself it removes")
    void leftAlone() {
        Scheduler a = node("a", "bank").scheduler();
        JobSpecification declared =
                minutely("j").toBuilder().applicationTag("app").build();
        a.scheduleJob(declared);
        a.scheduleJob(minutely("named").toBuilder().calendar("shop").build());
        Scheduler other = plain.scheduler();
        other.scheduleJob(declared);
        other.scheduleJobs(List.of(declared));
        other.reconcile("app", List.of(declared), false);
        assertThat(version("j")).isEqualTo(1);
        other.updateJob(declared.toBuilder().priority(1).build());
        JobSpecification read =
                other.findJobById("j", FindScope.LIVE).orElseThrow().specification();
        other.updateJob(read.toBuilder().priority(2).build());
        other.scheduleJob(declared);
        assertThat(version("j")).isEqualTo(4);
        assertThat(calendars("j")).containsExactly("bank");
        assertThat(next("j")).isEqualTo(OPEN);
        other.scheduleJob(minutely("named"));
        assertThat(calendars("named")).isEmpty();
        assertThat(next("named")).isEqualTo(FIRST);
    }

    @Test
    @DisplayName("16: a job is freed of it by ignoring it, and a job that becomes a one-off is")
    void freed() {
        Scheduler a = node("a", "bank").scheduler();
        for (String key : List.of("j", "k")) {
            a.scheduleJob(minutely(key));
            JobSpecification read =
                    a.findJobById(key, FindScope.LIVE).orElseThrow().specification();
            plain.scheduler()
                    .updateJob(
                            key.equals("j")
                                    ? read.toBuilder()
                                            .ignoreDefaultCalendar(true)
                                            .build()
                                    : read.toBuilder()
                                            .schedulingSpecification(null)
                                            .singleSchedule(FIRST)
                                            .build());
            assertThat(calendars(key)).isEmpty();
            assertThat(next(key)).isEqualTo(FIRST);
        }
        a.scheduleJob(minutely("j"));
        assertThat(calendars("j")).as("a setting counts again").containsExactly("bank");
    }

    @Test
    @DisplayName(
            "16, C5: it is a calendar of the job like others: edits plan the job again, and it is not deleted meanwhile")
    void likeOthers() {
        node("a", "bank").scheduler().scheduleJob(minutely("j"));
        assertThat(plain.scheduler()
                        .calendars()
                        .put("bank", excluding("1"))
                        .jobs()
                        .moved())
                .isEqualTo(1);
        assertThat(next("j")).isEqualTo(START.plusSeconds(120));
        assertThatThrownBy(() -> plain.scheduler().calendars().delete("bank"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'j'");
    }

    @Test
    @DisplayName("16: a setting that is not known refuses recurring jobs that need it, by name, and no other")
    void unknown() {
        Scheduler client = world.client(
                builder -> builder.calendarReader(MinuteCalendar::read).defaultCalendar("bnak"));
        assertThatThrownBy(() -> client.scheduleJob(minutely("j")))
                .isInstanceOfSatisfying(
                        InvalidJobException.class,
                        refused -> assertThat(refused.problems())
                                .singleElement()
                                .satisfies(problem ->
                                        assertThat(problem.toString()).contains("calendars", "bnak")));
        assertThat(client.findJobById("j")).isEmpty();
        client.scheduleJob(job("once").singleSchedule(FIRST).build());
        client.scheduleJob(minutely("named").toBuilder().calendar("bank").build());
        plain.scheduler().calendars().put("bnak", excluding("1-5"));
        client.scheduleJob(minutely("j"));
        assertThat(next("j")).isEqualTo(OPEN);
    }
}
