package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FireAccount;
import dev.almanac.model.Outcome;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges L54 to L56 of contributing/lifecycle.md: calendars that are edited while jobs live. */
class LifecycleCalendarsTest extends LifecycleFixture {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";
    private static final Instant NEVER = Instant.parse("9999-01-01T00:00:00Z");

    @Test
    @DisplayName(
            "L54 C5: an edited calendar plans its waiting jobs anew, with a row; others and running ones are left alone")
    void replanned() {
        Machine a = node("a");
        world.work = call -> slow(Duration.ofSeconds(60));
        put(a, START);
        a.scheduler()
                .scheduleJob(job("running").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .calendar("c")
                        .build());
        a.scheduler()
                .scheduleJob(
                        job("other").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(5_000);
        put(a, START.plusSeconds(700));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/REPLANNED");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1_200));
        assertRows("other", "SCHEDULED/NONE");
        assertRows("running", "SCHEDULED/NONE");
        pass(700_000);
        assertThat(world.callsOf("j")).isEmpty();
        assertThat(world.callsOf("other")).extracting(Call::fire).containsExactly(START.plusSeconds(600));
    }

    @Test
    @DisplayName("L55 C5: a job whose calendars leave it no fire is blocked until an edit gives it one")
    void withoutFire() {
        Machine a = node("a");
        put(a, START);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .calendar("c")
                        .build());
        put(a, NEVER);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/REPLANNED");
        assertThat(document("j").isLive()).isTrue();
        assertThat(document("j").due()).isNull();
        assertThat(document("j").blockedReason()).contains("no fire");
        pass(700_000);
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName("L56 C5: an edit that gives a job without a fire a fire lets it go on, and is on record")
    void fed() {
        Machine a = node("a");
        put(a, START);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .calendar("c")
                        .build());
        put(a, NEVER);
        put(a, START.plusSeconds(1_000));
        assertThat(document("j").blocked()).isNull();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.REPLANNED);
        pass(1_205_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(1_200));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "L54 C4 C5: a fire that a calendar has shifted fires once, also if an edit in or behind its run would shift it further")
    void shiftedOnce(boolean running) {
        Machine a = node("a");
        put(a, START.plusSeconds(660));
        world.work = call -> running ? slow(Duration.ofSeconds(60)) : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .calendar("c")
                        .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                        .build());
        pass(670_000);
        put(a, START.plusSeconds(780));
        pass(60_000);
        assertThat(document("j").plan().nextFireTime()).isEqualTo(START.plusSeconds(1_200));
        assertThat(a.scheduler().previewFireTimes("j", START.plusSeconds(730), 1))
                .extracting(FirePreview::nominalTime)
                .containsExactly(START.plusSeconds(1_200));
        put(a, START.plusSeconds(1_260));
        pass(650_000);
        assertThat(world.callsOf("j"))
                .extracting(Call::fire)
                .as("of the nominal fires of 600 and 1 200 seconds")
                .containsExactly(START.plusSeconds(660), START.plusSeconds(1_260));
        assertThat(a.scheduler().fires("j", START).orElseThrow().accounts())
                .filteredOn(account -> account.kind() != FireAccount.Kind.EXCLUDED)
                .extracting(FireAccount::fireTime, FireAccount::kind)
                .containsExactly(
                        tuple(START.plusSeconds(660), FireAccount.Kind.RAN),
                        tuple(START.plusSeconds(1_260), FireAccount.Kind.RAN));
    }

    private Machine node(String name) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(
                        definition -> closedUntil(Instant.parse(String.valueOf(definition.get("until"))))));
    }

    private static void put(Machine node, Instant closedUntil) {
        node.scheduler().calendars().put("c", Map.of("until", closedUntil.toString()));
    }
}
