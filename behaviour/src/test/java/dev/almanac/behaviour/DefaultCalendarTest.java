package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.DefaultCalendar;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The default calendar of recurring jobs (chapter 16), over memory and a real server. */
class DefaultCalendarTest extends LifecycleFixture {
    private static final Instant FIRST = START.plusSeconds(60);

    private Machine node(String name) {
        return node(name, null);
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

    @Test
    @DisplayName(
            "16: a default calendar counts for stored recurring jobs at once, is not copied, and leaves one-offs alone")
    void counts() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-5"));
        a.scheduler().scheduleJob(minutely("j"));
        a.scheduler()
                .scheduleJob(
                        minutely("free").toBuilder().ignoreDefaultCalendar(true).build());
        a.scheduler().scheduleJob(job("once").singleSchedule(FIRST).build());
        ReplanResult put = a.scheduler().calendars().putDefault("bank");
        assertThat(put.moved()).isEqualTo(1);
        assertThat(a.scheduler().calendars().getDefault()).contains("bank");
        assertThat(document("j").specification().calendars()).isEmpty();
        assertThat(next("j")).isEqualTo(START.plusSeconds(360));
        a.scheduler().scheduleJob(minutely("later"));
        assertThat(document("later").specification().calendars()).isEmpty();
        assertThat(next("later")).isEqualTo(START.plusSeconds(360));
        assertThat(a.scheduler().previewFireTimes("j", START, 1))
                .extracting(FirePreview::reason)
                .containsExactly(FirePreview.Reason.EXCLUDED);
        assertThat(a.scheduler().explainJob("j").reasons())
                .anySatisfy(reason -> assertThat(reason.text()).contains("excluded by calendar 'bank'"));
        world.pass(Duration.ofSeconds(361));
        assertThat(world.callsOf("j")).extracting(Call::fire).containsExactly(START.plusSeconds(360));
        assertThat(world.callsOf("free")).hasSize(6);
        assertThat(world.callsOf("once")).hasSize(1);
    }

    @Test
    @DisplayName(
            "16, C5: an edit of the default calendar, another one and none plan its jobs again, also on other nodes")
    void edits() {
        Machine a = node("a");
        Machine b = node("b");
        a.scheduler().calendars().put("bank", excluding("1-5"));
        a.scheduler().calendars().put("shop", excluding("1-7"));
        a.scheduler().calendars().putDefault("bank");
        a.scheduler().scheduleJob(minutely("j"));
        assertThat(b.scheduler()
                        .calendars()
                        .put("bank", excluding("1-6"))
                        .jobs()
                        .moved())
                .isEqualTo(1);
        assertThat(next("j")).isEqualTo(START.plusSeconds(420));
        assertThat(b.scheduler().calendars().putDefault("shop").moved()).isEqualTo(1);
        assertThat(next("j")).isEqualTo(START.plusSeconds(480));
        assertThat(b.scheduler().calendars().putDefault("shop").looked())
                .as("the same again")
                .isLessThanOrEqualTo(1);
        assertThat(a.scheduler().calendars().putDefault(null).moved()).isEqualTo(1);
        assertThat(a.scheduler().calendars().getDefault()).isEmpty();
        assertThat(next("j")).isEqualTo(FIRST);
        world.pass(Duration.ofSeconds(121));
        assertThat(world.callsOf("j")).hasSize(2);
    }

    @Test
    @DisplayName("16, C5: a run that lasts through the change is followed by a fire of the new default calendar")
    void runThroughTheChange() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2-5"));
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.work = call -> end;
        a.scheduler().scheduleJob(minutely("j"));
        world.pass(Duration.ofSeconds(65));
        a.scheduler().calendars().putDefault("bank");
        world.pass(Duration.ofSeconds(20));
        end.complete(null);
        world.pass(Duration.ofSeconds(1));
        assertThat(next("j")).isEqualTo(START.plusSeconds(360));
    }

    @Test
    @DisplayName(
            "16, C5: a change that its author could not plan by is planned by a node that is there, though it is idle")
    void owed() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-30"));
        a.scheduler()
                .scheduleJob(minutely("j").toBuilder()
                        .startAt(START.plusSeconds(300))
                        .build());
        world.pass(Duration.ofSeconds(5));
        DefaultCalendar there = world.store.cluster().control().defaultCalendar();
        assertThat(world.store.cluster().putDefaultCalendar(there.next("bank", world.time.wall(), "gone")))
                .isTrue();
        world.pass(Duration.ofSeconds(50));
        assertThat(next("j")).isEqualTo(START.plus(Duration.ofMinutes(31)));
        assertThat(world.store.cluster().control().defaultCalendar().isPlanningOwed())
                .isFalse();
    }

    @Test
    @DisplayName(
            "16: a default calendar must be known to the scheduler that puts it, and is not deleted while it is the default")
    void refused() {
        Machine a = node("a");
        assertThatThrownBy(() -> a.scheduler().calendars().putDefault("bnak"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bnak");
        a.scheduler().calendars().put("bank", excluding("1"));
        a.scheduler().calendars().putDefault("bank");
        assertThatThrownBy(() -> a.scheduler().calendars().delete("bank"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("default calendar");
        a.scheduler().calendars().putDefault(null);
        assertThat(a.scheduler().calendars().delete("bank")).isTrue();
    }

    @Test
    @DisplayName("16: the first scheduler with a setting stores it; later settings do not undo what is stored")
    void setting() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-5"));
        a.scheduler().calendars().put("shop", excluding("1-7"));
        Machine b = node("b", "bank");
        assertThat(a.scheduler().calendars().getDefault()).contains("bank");
        Machine c = node("c", "shop");
        c.scheduler().scheduleJob(minutely("j"));
        assertThat(a.scheduler().calendars().getDefault()).contains("bank");
        assertThat(next("j")).isEqualTo(START.plusSeconds(360));
        b.scheduler().calendars().putDefault(null);
        node("d", "bank").scheduler().scheduleJob(minutely("k"));
        assertThat(a.scheduler().calendars().getDefault())
                .as("none, on purpose")
                .isEmpty();
        assertThat(next("k")).isEqualTo(FIRST);
    }

    @Test
    @DisplayName(
            "16: a scheduler that is not started adopts its setting with the first recurring job; an unknown one is reported")
    void client() {
        Machine a = node("a");
        Scheduler client = client("bank");
        assertThatThrownBy(() -> client.scheduleJob(minutely("j")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'bank'");
        client.scheduleJob(job("once").singleSchedule(FIRST).build());
        a.scheduler().calendars().put("bank", excluding("1-5"));
        world.pass(Duration.ofSeconds(2));
        client.scheduleJob(minutely("j"));
        assertThat(a.scheduler().calendars().getDefault()).contains("bank");
        assertThat(next("j")).isEqualTo(START.plusSeconds(360));
    }

    private Scheduler client(String setting) {
        return world.client(
                builder -> builder.calendarReader(MinuteCalendar::read).defaultCalendar(setting));
    }

    @Test
    @DisplayName(
            "16: a job into which an older version has copied the default calendar stays as it is when it is saved again")
    void copied() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-5"));
        a.scheduler()
                .scheduleJob(
                        minutely("j").toBuilder().calendars(List.of("bank")).build());
        a.scheduler().calendars().putDefault("bank");
        a.scheduler().scheduleJob(minutely("j"));
        assertThat(document("j").specification().version()).isEqualTo(1);
        assertThat(next("j")).isEqualTo(START.plusSeconds(360));
        a.scheduler().calendars().putDefault(null);
        a.scheduler().scheduleJob(minutely("j"));
        assertThat(document("j").specification().calendars()).isEmpty();
        assertThat(next("j")).isEqualTo(FIRST);
    }

    @Test
    @DisplayName("X6: a node that does not know the default calendar leaves recurring jobs to one that does")
    void unknownHere() {
        Machine a = node("a");
        Machine b = world.node("b");
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().calendars().putDefault("bank");
        a.scheduler().scheduleJob(minutely("j"));
        kill(a);
        world.pass(Duration.ofSeconds(61));
        assertThat(world.callsOf("j")).isEmpty();
        assertThat(b.scheduler().explainJob("j").reasons())
                .anySatisfy(
                        reason -> assertThat(reason.text()).contains("calendars that this node does not know: [bank]"));
        node("c");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.callsOf("j"))
                .isNotEmpty()
                .allSatisfy(call -> assertThat(call.node()).isEqualTo("c"));
    }
}
