package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A calendar of the service never returns (rule X1): that costs only the planning of its own jobs. */
class HungCalendarsTest {
    /** A command that no helper supports. */
    record Other(String text) implements SchedulingCommand {}

    private static final Instant NOON = START.plus(Duration.ofHours(4));

    private final World world = new World(0, InMemoryJobStore::new);
    private final AtomicInteger hung = new AtomicInteger();
    private boolean hangs;

    private Machine node(String name) {
        ManualLanes.Node own = world.lanes.node();
        HookedCalendar slow = new HookedCalendar(() -> {
            if (hangs) {
                hung.incrementAndGet();
                own.takeTime(Duration.ofDays(1));
            }
        });
        Machine machine = world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.lanes(own)
                        .executor(own::execute)
                        .calendar("slow", slow)
                        .command("other", 1, Other.class)
                        .calendarReader(MinuteCalendar::read));
        return new Machine(name, machine.scheduler(), own, machine.events());
    }

    private Scheduler client() {
        return world.client(builder -> builder.command("other", 1, Other.class).calendarReader(MinuteCalendar::read));
    }

    @AfterEach
    void end() {
        world.lanes.close();
    }

    /** The client cannot plan jobs that name "slow", so a node does. */
    private void edited(Scheduler client) {
        hangs = true;
        client.calendars().put("bank", excluding("0"));
    }

    @Test
    @DisplayName(
            "X1, C5: a calendar that hangs while jobs are planned again delays the plans of other jobs by a lease, once")
    void planning() {
        Machine a = node("a");
        Scheduler client = client();
        client.calendars().put("bank", excluding("59"));
        for (String key : new String[] {"a1", "a2"}) {
            a.scheduler()
                    .scheduleJob(job(key).schedulingSpecification("0 0,30 12 * * ?")
                            .calendar("bank")
                            .calendar("slow")
                            .build());
        }
        a.scheduler()
                .scheduleJob(job("other")
                        .schedulingSpecification("0 0,30 12 * * ?")
                        .calendar("bank")
                        .build());
        edited(client);
        for (int i = 0; i < 30; i++) {
            client.scheduleJob(job("x" + i)
                    .triggerCommand(new Other("x"))
                    .singleSchedule(START.plusSeconds(5))
                    .build());
        }
        world.pass(Duration.ofMinutes(20));
        assertThat(hung).as("one thread for both jobs, whatever is tried again").hasValue(1);
        assertThat(a.scheduler().health().reasons())
                .anyMatch(reason -> reason.startsWith("30 jobs of its command types have been due"))
                .anyMatch(reason -> reason.startsWith("the calendars [bank, slow] of job 'a1' have been in one call"))
                .anyMatch(reason -> reason.startsWith("planning jobs again has failed"))
                .anyMatch(reason -> reason.startsWith("finding a helper for commands of type other has failed"))
                .hasSize(4);
        assertThat(a.scheduler().findJobById("other").orElseThrow().nextFireTime())
                .isEqualTo(NOON.plus(Duration.ofMinutes(30)));
        assertThat(a.scheduler().findJobById("a1").orElseThrow().nextFireTime())
                .as("the plan that it had")
                .isEqualTo(NOON);
    }

    @Test
    @DisplayName("X1, C5: jobs of a calendar that returns after all are planned by the edit")
    void returns() {
        Machine a = node("a");
        Scheduler client = client();
        client.calendars().put("bank", excluding("59"));
        Instant tomorrow = NOON.plus(Duration.ofDays(2));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0,30 12 * * ?")
                        .startAt(tomorrow.minusSeconds(1))
                        .calendar("bank")
                        .calendar("slow")
                        .build());
        edited(client);
        world.pass(Duration.ofMinutes(1));
        assertThat(hung).hasValue(1);
        hangs = false;
        world.pass(Duration.ofDays(1).plusMinutes(6));
        assertThat(a.scheduler().findJobById("j").orElseThrow().nextFireTime())
                .isEqualTo(tomorrow.plus(Duration.ofMinutes(30)));
        world.pass(Duration.ofMinutes(10));
        assertThat(a.scheduler().health().reasons()).isEmpty();
    }

    @Test
    @DisplayName("X1, R12: a start waits for a calendar that hangs for an overdue job as long as a lease, then claims")
    void start() {
        Machine a = node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .calendar("slow")
                        .build());
        a.scheduler()
                .scheduleJob(job("plain").singleSchedule(START.plusSeconds(30)).build());
        a.lanes().close();
        world.pass(Duration.ofMinutes(5));
        hangs = true;
        Machine b = node("b");
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).extracting(Call::job).containsExactly("plain");
        assertThat(b.scheduler().health().reasons())
                .anyMatch(reason -> reason.startsWith("the calendars [slow] of job 'j' have been in one call"));
    }

    @Test
    @DisplayName(
            "X1, N8: a calendar of a follow-up that hangs costs each run that owes one a lease on each node, then the follow-up is refused; other jobs run")
    void followUp() {
        Machine a = node("a");
        Machine b = node("b");
        JobSpecification followUp = job("after")
                .schedulingSpecification("0 0 0 * * ?")
                .calendar("slow")
                .build();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/10 * * * ?")
                        .onSuccess(followUp)
                        .build());
        a.scheduler()
                .scheduleJob(
                        job("plain").schedulingSpecification("0 0/10 * * * ?").build());
        hangs = true;
        world.pass(Duration.ofMinutes(11));
        assertThat(List.of(a, b))
                .as("health names the calendar, and the job whose start waits for it")
                .anyMatch(machine -> machine.scheduler().health().reasons().stream()
                        .anyMatch(reason ->
                                reason.startsWith("the calendars [slow] of job 'after' have been in one call")));
        world.pass(Duration.ofMinutes(50));
        assertThat(hung).as("one thread on each node, whatever is tried again").hasValue(2);
        assertThat(world.callsOf("plain")).hasSize(6);
        assertThat(world.callsOf("j")).hasSizeGreaterThan(3);
        assertThat(a.scheduler().history("j"))
                .anyMatch(row -> row.outcome() == Outcome.FOLLOW_UP_REFUSED
                        && row.detail() != null
                        && row.detail().contains("the calendars [slow] do not return"));
        assertThat(a.scheduler().findJobById("after")).isEmpty();
    }

    @Test
    @DisplayName(
            "X1, N8: a calendar that hangs of what follows a follow-up keeps no other follow-up from being stored, and refuses its own")
    void followUpOfFollowUp() {
        Machine a = node("a");
        JobSpecification last = job("last-{claim}")
                .schedulingSpecification("0 0 0 * * ?")
                .calendar("slow")
                .build();
        JobSpecification first =
                job("first-{claim}").now().calendar("bank").onSuccess(last).build();
        Scheduler client = client();
        client.calendars().put("bank", excluding("59"));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/10 * * * ?")
                        .onSuccess(first)
                        .build());
        a.scheduler()
                .scheduleJob(job("plain")
                        .schedulingSpecification("0 0/10 * * * ?")
                        .calendar("bank")
                        .build());
        hangs = true;
        world.pass(Duration.ofMinutes(61));
        assertThat(world.callsOf("j")).hasSize(6);
        assertThat(world.callsOf("plain"))
                .as("nobody takes the calendar for one that hangs")
                .hasSize(6);
        List<Call> followUps = world.calls.stream()
                .filter(call -> call.job().startsWith("first-"))
                .toList();
        assertThat(followUps).hasSize(6);
        assertThat(a.scheduler().history(followUps.get(0).job()))
                .anyMatch(row -> row.outcome() == Outcome.FOLLOW_UP_REFUSED
                        && row.detail() != null
                        && row.detail().contains("the calendars [slow] do not return"));
    }
}
