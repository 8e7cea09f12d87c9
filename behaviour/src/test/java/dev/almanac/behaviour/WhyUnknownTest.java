package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.Explanation;
import dev.almanac.model.Finding;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Problem;
import dev.almanac.store.JobStore;
import dev.almanac.store.Phase;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredCalendar;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is said of a calendar that a node does not know depends on why it does not (rules C5, O2, O3, O6). */
class WhyUnknownTest extends LifecycleFixture {
    private static final Map<String, Object> DAMAGED = Map.of("kind", "Lunar");

    /** Whether services store no job. */
    private boolean cut;

    private Machine node(String name) {
        return world.node(name, world.store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
    }

    /** A node whose code declares the calendars. */
    private Machine service(String name, String... calendars) {
        JobStore view = StoreHook.over(world.store, (method, arguments, call) -> {
            if (cut && method.equals("insert")) {
                throw new StoreException("the connection is gone", new IllegalStateException());
            }
            return call.proceed();
        });
        return world.node(name, view, Duration.ZERO, builder -> {
            for (String calendar : calendars) {
                builder.calendar(calendar, MinuteCalendar.read(excluding("59")));
            }
            return builder.calendarReader(MinuteCalendar::read);
        });
    }

    private static JobSpecification minutely(String... calendars) {
        return job("j").schedulingSpecification("0 * * * * ?")
                .calendars(calendars)
                .build();
    }

    /** As by a person, or by a newer release. */
    private void store(String name, Map<String, Object> definition) {
        long version = world.store.cluster().calendars().stream()
                .filter(calendar -> calendar.name().equals(name))
                .mapToLong(StoredCalendar::version)
                .max()
                .orElse(0);
        boolean stored = world.store
                .cluster()
                .putCalendar(new StoredCalendar(name, version + 1, definition, world.time.wall(), "ann", false));
        assertThat(stored).isTrue();
    }

    private static Finding overdue(Scheduler scheduler) {
        return scheduler.checkInvariants().findings().stream()
                .filter(finding -> finding.kind() == Finding.Kind.OVERDUE)
                .findFirst()
                .orElseThrow();
    }

    private static String unknown(Scheduler scheduler, String key) {
        return scheduler.explainJob(key).reasons().stream()
                .filter(reason -> reason.kind() == Explanation.Kind.UNKNOWN_CALENDAR)
                .map(Explanation.Reason::text)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName(
            "O2, O3: a calendar that is stored and cannot be read here is called stored, not one of a service's code")
    void unreadable() {
        Scheduler a = node("a").scheduler();
        a.calendars().put("bank", excluding("59"));
        a.scheduleJob(minutely("bank"));
        store("bank", DAMAGED);
        pass(600_000);
        Finding finding = overdue(a);
        assertThat(finding.text())
                .contains("calendar 'bank' is stored", "ALM-009")
                .doesNotContain("no calendar");
        assertThat(finding.advice())
                .contains("ALM-009", "almanac calendars put 'bank'", "almanac jobs update 'j' --no-calendar")
                .doesNotContain("start that service");
        assertThat(unknown(a, "j")).contains("calendar 'bank' is stored", "ALM-009");
        assertThatThrownBy(() -> a.scheduleJob(
                        minutely("bank").toBuilder().jobSpecificationKey("k").build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("is stored")
                .hasMessageNotContaining("is not known");
    }

    @Test
    @DisplayName("O2, O3: a calendar that is not stored is left to a service that declares it")
    void declaredElsewhere() {
        Machine service = service("a", "bank");
        service.scheduler().scheduleJob(minutely("bank"));
        service.lanes().close();
        Scheduler b = node("b").scheduler();
        pass(600_000);
        Finding finding = overdue(b);
        assertThat(finding.text()).contains("no calendar 'bank' is stored", "declares it in code");
        assertThat(finding.advice())
                .as("who asks may not be a node of that service, which may be busy")
                .startsWith("find out why: almanac jobs explain 'j'")
                .contains("start that service", "almanac calendars put 'bank'")
                .doesNotContain("--no-calendar");
        assertThat(unknown(b, "j")).contains("no calendar 'bank' is stored", "declares it in code");
    }

    @Test
    @DisplayName(
            "O2, O3: of a job whose run has ended, and whose next fire no node here can plan, the calendar is named")
    void unplanned() {
        Machine service = service("a", "bank");
        service.scheduler().scheduleJob(minutely("bank"));
        service.lanes().close();
        Scheduler b = node("b").scheduler();
        b.updateJob(b.findJobById("j").orElseThrow().specification().toBuilder()
                .schedulingSpecification("30 * * * * ?")
                .build());
        assertThat(document("j").isUnplanned()).isTrue();
        assertThat(unknown(b, "j")).contains("[bank]", "no calendar 'bank' is stored");
    }

    @Test
    @DisplayName("O2, O3: nobody is sent to nodes that know a calendar that was deleted")
    void deleted() {
        Scheduler a = node("a").scheduler();
        StoredCalendar bank = a.calendars().put("bank", excluding("59")).calendar();
        a.scheduleJob(minutely("bank"));
        // as if the deletion had looked for jobs before this one was stored
        world.store.cluster().putCalendar(bank.tombstone(world.time.wall(), "ann"));
        pass(600_000);
        Finding finding = overdue(a);
        assertThat(finding.text()).contains("calendar 'bank' was deleted").doesNotContain("no calendar");
        assertThat(finding.advice())
                .contains("almanac calendars put 'bank'", "almanac jobs update 'j' --no-calendar")
                .doesNotContain("start that service");
        assertThat(unknown(a, "j")).contains("'bank' was deleted").doesNotContain("nodes that know them");
    }

    @Test
    @DisplayName("O3, L92: a job that waits for the calendar of a follow-up is not told to give up its own calendars")
    void ofFollowUp() {
        Machine service = service("a", "bank");
        service.scheduler()
                .scheduleJob(job("r").singleSchedule(World.START.plusSeconds(5))
                        .onSuccess(job("mail").now().calendar("bank").build())
                        .build());
        service.lanes().close();
        Scheduler b = node("b").scheduler();
        pass(600_000);
        Finding finding = overdue(b);
        assertThat(finding.text()).contains("'bank'", "follow-ups");
        assertThat(finding.advice())
                .contains("almanac calendars put 'bank'", "an hour after")
                .doesNotContain("--no-calendar");
        assertThat(unknown(b, "r")).contains("[bank]", "can store the follow-ups that name it");
        pass(3_600_000);
        assertThat(document("r").isLive()).as("as the advice says").isFalse();
    }

    @Test
    @DisplayName("C5: two damaged calendars of one job are mended one after the other; one of a service still refuses")
    void bothDamaged() {
        Scheduler a = node("a").scheduler();
        a.calendars().put("one", excluding("58"));
        a.calendars().put("two", excluding("59"));
        a.scheduleJob(minutely("one", "two"));
        store("one", DAMAGED);
        store("two", DAMAGED);
        pass(600_000);
        assertThat(world.callsOf("j")).hasSizeLessThan(2);
        assertThat(a.calendars().check("one", excluding("58"))).isEmpty();
        a.calendars().put("one", excluding("58"));
        assertThat(a.calendars().check("two", excluding("59"))).isEmpty();
        a.calendars().put("two", excluding("59"));
        int before = world.callsOf("j").size();
        pass(300_000);
        assertThat(world.callsOf("j")).hasSizeGreaterThan(before + 2);
        Machine service = service("s", "own");
        service.scheduler()
                .scheduleJob(minutely("one", "own").toBuilder()
                        .jobSpecificationKey("k")
                        .build());
        assertThat(a.calendars().check("one", excluding("57")))
                .singleElement()
                .extracting(Problem::advice)
                .asString()
                .contains("'k'", "'own'", "which a service declares");
    }

    @Test
    @DisplayName(
            "O2, O3, N8: of a job that owes follow-ups their calendar is the reason, not its own, and no pause hides that")
    void ownAndOfFollowUp() {
        Machine service = service("a", "bank", "own");
        service.scheduler()
                .scheduleJob(minutely("own").toBuilder()
                        .onSuccess(job("mail").now().calendar("bank").build())
                        .build());
        Scheduler b = node("b").scheduler();
        cut = true;
        pass(70_000);
        service.lanes().close();
        pass(600_000);
        assertThat(document("j").phase()).isEqualTo(Phase.FOLLOW);
        b.pause(PauseScope.job("j"), new Pause("tests", "ann", null));
        pass(120_000);
        Finding finding = overdue(b);
        assertThat(finding.text()).contains("'bank'", "follow-ups").doesNotContain("'own'");
        assertThat(finding.advice()).contains("almanac calendars put 'bank'").doesNotContain("--no-calendar");
        Explanation told = b.explainJob("j");
        assertThat(told.headline()).contains("[bank]").doesNotContain("own");
        assertThat(told.reasons())
                .as("why no later fire is shown")
                .anyMatch(reason -> reason.text().contains("cannot compute")
                        && reason.text().contains("[own]"));
    }
}
