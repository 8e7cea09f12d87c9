package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.FIRE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.store.Blocked;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of users' requests: state of the job, request, and what it makes of the job. */
class RequestTest {

    private static StoredJob in(String state) {
        StoredJob job = States.claimed(state);
        if (state.contains("leased")) {
            return job;
        }
        long done = state.contains("unrecovered") ? 0 : 1;
        StoredJob free = job.with(edit -> edit.lease(null)
                .due(job.plan().startTime())
                .sequences(new Sequences(0, 1, done, 0))
                .blocked(state.contains("blocked") ? Blocked.toRepair("why") : null));
        if (state.contains("again")) {
            return free.with(edit -> edit.plan(free.plan().withRerun()));
        }
        return state.contains("paused")
                ? free.with(edit -> edit.due(null).requests(free.requests().withPause(new Pause("why", "who", null))))
                : state.contains("blocked") ? free.with(edit -> edit.due(null)) : free;
    }

    private static JobChange ask(StoredJob job, String request) {
        return switch (request) {
            case "cancel" -> RequestDecider.cancel(job, false, CONTEXT);
            case "interrupt" -> RequestDecider.cancel(job, true, CONTEXT);
            case "pause" -> RequestDecider.pause(job, new Pause("why", "who", null), CONTEXT);
            case "resume" -> RequestDecider.pause(job, null, CONTEXT);
            case "run now" -> RequestDecider.runNow(job, null, CONTEXT);
            case "priority" ->
                update(job, job.specification().toBuilder().priority(1).build());
            case "schedule" ->
                update(
                        job,
                        job.specification().toBuilder()
                                .schedulingSpecification("0 30 * * * ?")
                                .build());
            default -> throw new IllegalArgumentException(request);
        };
    }

    private static JobChange update(StoredJob job, JobSpecification given) {
        PlannedFire first = States.planner().first(given, NOW).orElse(null);
        return RequestDecider.update(job, new SpecificationCheck.Accepted(given, first, States.planner()), CONTEXT)
                .orElseThrow();
    }

    @Test
    @DisplayName("M3: a later request for a run has a later moment, whatever the clock of its node says")
    void askedTwice() {
        DecisionContext ahead = CONTEXT.notBefore(NOW.plusMillis(50));
        StoredJob first =
                RequestDecider.runNow(in("hourly leased"), null, ahead).after();
        StoredJob second = RequestDecider.runNow(first, null, CONTEXT).after();
        assertThat(first.requests().runNow()).isEqualTo(NOW.plusMillis(50));
        assertThat(second.requests().runNow()).isEqualTo(NOW.plusMillis(51));
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @DisplayName("P7, M3, M4: what a request makes of a job, with and without a lease")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly                ; cancel    ; CANCELED/CANCELED -> finished
                    hourly retried        ; cancel    ; CANCELED/CANCELED -> finished
                    hourly blocked        ; cancel    ; CANCELED/CANCELED -> finished
                    hourly leased         ; cancel    ; SCHEDULED/NONE -> claimed
                    hourly leased         ; interrupt ; SCHEDULED/NONE -> claimed
                    hourly                ; pause     ; SCHEDULED/PAUSED -> held back
                    hourly leased         ; pause     ; SCHEDULED/PAUSED -> claimed
                    hourly paused         ; resume    ; SCHEDULED/NONE -> waiting 08:00
                    hourly paused         ; run now   ; SCHEDULED/NONE -> held back
                    hourly                ; run now   ; SCHEDULED/NONE -> waiting 08:00
                    hourly leased         ; run now   ; SCHEDULED/NONE -> claimed
                    hourly blocked        ; run now   ; SCHEDULED/NONE -> blocked
                    hourly                ; priority  ; SCHEDULED/NONE -> waiting 08:00
                    hourly                ; schedule  ; SCHEDULED/NONE -> waiting 08:00
                    hourly retried        ; schedule  ; SCHEDULED/NONE -> retrying 08:00
                    hourly retried        ; priority  ; SCHEDULED/NONE -> retrying 08:00
                    hourly paused         ; schedule  ; SCHEDULED/NONE -> held back
                    hourly blocked        ; schedule  ; SCHEDULED/NONE -> waiting 08:00
                    hourly leased         ; schedule  ; SCHEDULED/NONE -> claimed
                    hourly again          ; priority  ; SCHEDULED/NONE -> to run again 08:00
                    hourly again          ; pause     ; SCHEDULED/PAUSED -> held back
                    hourly again          ; schedule  ; SCHEDULED/NONE -> to run again 08:00
                    hourly unrecovered    ; schedule  ; SCHEDULED/NONE -> waiting 08:00 to be recovered
                    hourly unrecovered    ; cancel    ; SCHEDULED/ABANDONED, CANCELED/CANCELED -> finished
                    """)
    void table(String state, String request, String story) {
        assertThat(States.story(ask(in(state), request))).isEqualTo(story);
    }

    @Test
    @DisplayName("C5: a job is blocked for want of a fire if the engine found none, not if words of others say so")
    void wordsOfOthers() {
        StoredJob claimed = in("hourly leased");
        StoredJob without = Transitions.blockWithoutFire(claimed, FirePlan.first(null, null, null), CONTEXT)
                .after();
        StoredJob refused = Transitions.block(
                        claimed,
                        Transitions.withoutFire(claimed.specification()).reason(),
                        CONTEXT)
                .after();
        assertThat(ask(without, "run now").after().due()).isEqualTo(NOW);
        assertThat(ask(refused, "run now").after().due()).isNull();
        StoredJob translated =
                without.with(edit -> edit.blocked(new Blocked(Blocked.Kind.NO_FIRE, "plus aucun jour ouvrable")));
        assertThat(ask(translated, "run now").after().due()).isEqualTo(NOW);
    }

    @Test
    @DisplayName("P7: under a lease, or with a claim to be recovered, a new schedule is noted, and due and plan stay")
    void noted() {
        for (String state : new String[] {"hourly leased", "hourly unrecovered"}) {
            StoredJob job = in(state);
            StoredJob after = ask(job, "schedule").after();
            assertThat(after.requests().scheduleChanged().at()).isEqualTo(NOW);
            assertThat(after.plan()).isEqualTo(job.plan());
            assertThat(after.due()).isEqualTo(job.due());
        }
        assertThat(ask(in("hourly"), "schedule").after().requests().scheduleChanged())
                .isNull();
    }

    @ParameterizedTest(name = "planned {0}, changed {1}, carried {2}: carries {3}")
    @DisplayName(
            "S2: a change that was noted and not yet applied goes first: its carried fire is not lost, none runs twice")
    @CsvSource({
        "07:00, 07:30, 07:15, 08:00",
        "08:00, 07:30,      , 08:00",
    })
    void notedBefore(LocalTime planned, LocalTime changed, @Nullable LocalTime carried, LocalTime carries) {
        StoredJob free = in("hourly");
        Instant fire = on(planned);
        StoredJob job = free.with(edit -> edit.plan(FirePlan.first(fire, null, Jobs.basis(fire)))
                .requests(free.requests()
                        .withScheduleChanged(new ScheduleChange(
                                on(changed), on(changed), carried == null ? null : on(carried), false))));
        JobChange change = ask(job, "schedule");
        // the fire that both schedules have is left to the plan
        ScheduleChange noted = carried == null
                ? new ScheduleChange(NOW, NOW, null, false)
                : new ScheduleChange(NOW, on(changed), on(carries), false);
        assertThat(change.after().plan()).isEqualTo(job.plan());
        assertThat(change.after().requests().scheduleChanged()).isEqualTo(noted);
        List<MissedFires> told = change.rows().stream()
                .map(JobExecutionStatus::missed)
                .filter(Objects::nonNull)
                .toList();
        assertThat(told)
                .isEqualTo(
                        carried == null
                                ? List.of()
                                : List.of(
                                        new MissedFires(on(carried), on(carried), 1, false, MissedFires.Reason.NEWER)));
        Optional<ChangedSchedule.Applied> applied = new ChangedSchedule(States.planner()).applied(change.after());
        assertThat(applied.orElseThrow().job().plan().nextFireTime()).isEqualTo(on(carries));
        assertThat(applied.orElseThrow().missed())
                .isEqualTo(carried == null ? null : new MissedFires(fire, fire, 1, false));
    }

    private static Instant on(LocalTime time) {
        return time.atDate(LocalDate.ofInstant(NOW, ZoneOffset.UTC)).toInstant(ZoneOffset.UTC);
    }

    @Test
    @DisplayName("S18: the row of a pause names the one that it replaces, if that has not ended")
    void replacesPause() {
        StoredJob job = in("hourly");
        Pause anna = new Pause("migration", "anna", null);
        Pause bob = new Pause("a break", "bob", NOW.plusSeconds(60));
        StoredJob paused = RequestDecider.pause(job, anna, CONTEXT).after();
        assertThat(paused.lastStatus().detail()).isEqualTo("paused by anna: migration");
        JobChange replaced = RequestDecider.pause(paused, bob, CONTEXT);
        assertThat(replaced.after().lastStatus().detail())
                .isEqualTo("paused by bob: a break; it replaces the pause by anna: migration");
        assertThat(RequestDecider.pause(paused, anna, CONTEXT)
                        .after()
                        .lastStatus()
                        .detail())
                .isEqualTo("paused by anna: migration");
        StoredJob ended = RequestDecider.pause(replaced.after(), anna, CONTEXT.notBefore(NOW.plusSeconds(61)))
                .after();
        assertThat(ended.lastStatus().detail()).isEqualTo("paused by anna: migration");
    }

    @Test
    @DisplayName("M3: equal contents change nothing")
    void equal() {
        StoredJob job = in("hourly");
        assertThat(RequestDecider.update(
                        job,
                        new SpecificationCheck.Accepted(
                                job.specification(), new PlannedFire(FIRE, null), States.planner()),
                        CONTEXT))
                .isEqualTo(Optional.empty());
    }

    @Test
    @DisplayName("M6: no pause holds back a job that is to be cancelled")
    void cancelAndPause() {
        StoredJob asked = States.asked(in("hourly unrecovered"), "cancel");
        assertThat(ask(asked, "pause").after().due()).isEqualTo(FIRE);
    }

    @ParameterizedTest(name = "{0}, claim {1}, {2} on record: mark {3}")
    @DisplayName("R7: crashPolicy FAIL that is given to a job whose helper may have been called marks that claim")
    @CsvSource({
        "hourly leased,              3, 2, 3",
        "hourly leased,              3, 1, 2",
        "hourly unrecovered,         3, 2, 3",
        "hourly unrecovered,         3, 1, 2",
        "hourly,                     3, 3, 0",
        "hourly leased at most once, 3, 2, 0"
    })
    void forbidden(String state, long claim, long done, long mark) {
        StoredJob job = in(state).with(edit -> edit.sequences(new Sequences(0, claim, done, 0)));
        JobSpecification given = job.specification().toBuilder()
                .crashPolicy(CrashPolicy.FAIL)
                .priority(1)
                .build();
        assertThat(update(job, given).after().sequences()).isEqualTo(new Sequences(0, claim, done, mark));
    }

    @Test
    @DisplayName(
            "M3: maxFires that is not above what has already fired is refused; another change of such a job is not")
    void maxFiresAlreadyReached() {
        StoredJob free = in("hourly");
        StoredJob ended = free.with(edit -> edit.plan(free.plan().firesEnded(4, null)));
        for (int most : new int[] {1, 4}) {
            JobSpecification given =
                    ended.specification().toBuilder().maxFires(most).build();
            assertThatThrownBy(() -> update(ended, given))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("maxFires")
                    .hasMessageContaining("4 fires have ended")
                    .hasMessageContaining("cancel the job");
        }
        JobChange five =
                update(ended, ended.specification().toBuilder().maxFires(5).build());
        assertThat(five.after().specification().maxFires()).contains(5);
    }
}
