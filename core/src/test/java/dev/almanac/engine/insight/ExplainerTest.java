package dev.almanac.engine.insight;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.Jobs.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.Jobs;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFires;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Rate;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.Blocked;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Phase;
import dev.almanac.store.RateUse;
import dev.almanac.store.Requests;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExplainerTest {
    private static final Instant LATER = NOW.plusSeconds(3600);
    private static final Instant EARLIER = NOW.minusSeconds(60);
    private static final List<NodeReport> NODES = List.of(node("n1", "note"), node("n2", "other"));
    private static final Map<String, ExclusionCalendar> CALENDARS =
            Map.of("holidays", Jobs.without("2030-03-02", "2030-03-03"), "audits", Jobs.without("2030-03-04"));

    private static ExplainerInput known(StoredJob job) {
        return new ExplainerInput(job, List.of(), NODES, List.of(), List.of(), null, null, null, null, null, NOW);
    }

    private static ExplainerInput withRows(StoredJob job, JobExecutionStatus... rows) {
        return new ExplainerInput(job, List.of(rows), NODES, List.of(), List.of(), null, null, null, null, null, NOW);
    }

    private static ExplainerInput paused(StoredJob job, ExplainerInput.Hold... holds) {
        return new ExplainerInput(job, List.of(), NODES, List.of(holds), List.of(), null, null, null, null, null, NOW);
    }

    private static StoredJob job(UnaryOperator<StoredJob> change) {
        return change.apply(Jobs.oneOff("k", LATER));
    }

    private static StoredJob due() {
        return Jobs.oneOff("k", EARLIER);
    }

    private static StoredJob leased(Instant until) {
        return due().with(edit -> edit.lease(new Lease("n1", 7, until)).due(until.plusSeconds(2)));
    }

    private static StoredJob retrying() {
        ErrorSummary error = new ErrorSummary("java.io.IOException", "disk full", null);
        return due().with(edit -> edit.plan(FirePlan.first(EARLIER, null, null).retryAt(LATER, null))
                .due(LATER)
                .lastStatus(Jobs.row("k", Outcome.ATTEMPT_FAILED, EARLIER)
                        .error(error)
                        .build()));
    }

    private static StoredJob finished(ExecutionStatus status, Outcome outcome) {
        return job(job -> job.with(edit -> edit.due(null)
                .specification(
                        StoredFields.of(job.specification()).deleteTime(LATER).build())
                .lastStatus(
                        Jobs.row("k", outcome, EARLIER).executionStatus(status).build())));
    }

    private static ExplainerInput.Hold hold(String what, Instant until, Instant since) {
        return new ExplainerInput.Hold(what, new Pause("audit", "ops", until), since);
    }

    static Stream<Arguments> single() {
        OpenRun run = new OpenRun(
                "k", "note", EARLIER, EARLIER, EARLIER, null, null, OpenRun.Place.STAGE, null, "", "half done");
        return Stream.of(
                Arguments.of(known(job(j -> j)), Kind.FUTURE, "waits for its next fire at " + LATER),
                Arguments.of(
                        known(due()),
                        Kind.DUE,
                        "is due since " + EARLIER + " and not claimed yet; 1 of 2 live nodes can claim it"),
                Arguments.of(
                        new ExplainerInput(
                                due(), List.of(), List.of(), List.of(), List.of(), null, null, null, null, null, NOW),
                        Kind.DUE,
                        "and not claimed yet; no node is live"),
                Arguments.of(
                        known(leased(LATER)),
                        Kind.LEASED,
                        "is claimed by node n1 (host-n1) until " + LATER + "; it holds attempt 1"),
                Arguments.of(
                        new ExplainerInput(
                                leased(LATER),
                                List.of(),
                                NODES,
                                List.of(),
                                List.of(),
                                run,
                                null,
                                null,
                                null,
                                null,
                                NOW),
                        Kind.LEASED,
                        "it has been running since " + EARLIER
                                + "; the stage that its helper returned is pending, and no thread is"
                                + " known to work on it; it reports: half done"),
                Arguments.of(
                        known(leased(NOW)),
                        Kind.RECOVERY_PENDING,
                        "whose lease ended at " + NOW + " without a recorded outcome"),
                Arguments.of(
                        known(leased(NOW).with(edit -> edit.lease(new Lease("gone", 7, NOW)))),
                        Kind.RECOVERY_PENDING,
                        "node gone, which has not reported lately, whose lease ended"),
                Arguments.of(
                        known(job(j -> j.with(edit ->
                                edit.blocked(Blocked.toRepair("no such zone")).due(null)))),
                        Kind.BLOCKED,
                        "is blocked: no such zone; correct it"),
                Arguments.of(
                        paused(job(j -> j), hold("", null, EARLIER)),
                        Kind.PAUSED,
                        "is paused by ops since " + EARLIER + " until it is resumed: audit"),
                Arguments.of(
                        paused(job(j -> j), hold(" with tag:x", LATER, null)),
                        Kind.PAUSED,
                        "is paused with tag:x by ops until " + LATER + ": audit"),
                Arguments.of(paused(job(j -> j), hold("", NOW, null)), Kind.FUTURE, "waits for its next fire"),
                Arguments.of(
                        known(retrying()),
                        Kind.BACKING_OFF,
                        "has failed in attempt 1 with java.io.IOException: disk full; the next attempt follows at "
                                + LATER),
                Arguments.of(
                        known(due().with(edit -> edit.requests(Requests.NONE.withRunNow(NOW)))),
                        Kind.RUN_NOW,
                        "is to run at once and not claimed yet"),
                Arguments.of(
                        known(job(j -> j.with(edit -> edit.due(null)))),
                        Kind.NO_DUE_TIME,
                        "neither paused nor blocked"),
                Arguments.of(
                        known(finished(ExecutionStatus.TRIGGERED, Outcome.SUCCEEDED)),
                        Kind.FINISHED,
                        "has finished at " + EARLIER + " as TRIGGERED/SUCCEEDED; it is removed after " + LATER),
                Arguments.of(
                        known(finished(ExecutionStatus.CANCELED, Outcome.CANCELED)),
                        Kind.FINISHED,
                        "was cancelled at " + EARLIER));
    }

    @ParameterizedTest
    @MethodSource("single")
    @DisplayName("O2: each state of a job has one reason, which the headline says, and no other")
    void oneReason(ExplainerInput known, Kind kind, String text) {
        Explanation explanation = explain(known);
        assertThat(explanation.reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(kind);
            assertThat(reason.text()).contains(text);
        });
        assertThat(explanation.headline()).startsWith("Job 'k' ").contains(text).endsWith(".");
    }

    private static Explanation explain(ExplainerInput known) {
        return new Explainer(new FirePlanner(new FirePlanner.Calendars(CALENDARS)), SchedulerSettings.defaults())
                .explain(known);
    }

    private static List<Kind> kinds(Explanation explanation) {
        return explanation.reasons().stream().map(Reason::kind).toList();
    }

    @Test
    @DisplayName("O2: no live node has the type: it says so first, and when it would be due")
    void noNode() {
        StoredJob job = due().with(edit -> edit.specification(due().specification().toBuilder()
                .triggerCommand(new EncodedCommand("rare", 1, Map.of()))
                .build()));
        Explanation explanation = explain(known(job));
        assertThat(kinds(explanation)).containsExactly(Kind.NO_NODE, Kind.DUE);
        assertThat(explanation.headline()).contains("none has the command type 'rare'", "[note, other]");
        StoredJob claimed = job.with(edit -> edit.lease(new Lease("n9", 1, LATER)));
        assertThat(kinds(explain(known(claimed)))).as("somebody has it").containsExactly(Kind.LEASED);
    }

    @Test
    @DisplayName("X6: of a job with needs it is not said that nodes can claim it, since their reports do not show that")
    void needs() {
        StoredJob rule = due().with(edit -> edit.specification(due().specification().toBuilder()
                .rrule("DTSTART:20260131T090000 RRULE:FREQ=DAILY")
                .singleSchedule((Instant) null)
                .build()));
        assertThat(explain(known(rule)).reasons())
                .anyMatch(reason -> reason.text().endsWith("1 of 2 live nodes can claim it if they support [rrule]"));
    }

    @Test
    @DisplayName("R8, O2: a node that leaves a job to others says why, first of all if no other live node can claim it")
    void notHere() {
        ExplainerInput.Refusal refusal = new ExplainerInput.Refusal("n1", "this one is too old");
        List<NodeReport> nodes = List.of(node("n1", "note"), node("n3", "note"));
        ExplainerInput known =
                new ExplainerInput(due(), List.of(), nodes, List.of(), List.of(), null, refusal, null, null, null, NOW);
        assertThat(kinds(explain(known))).containsExactly(Kind.DUE, Kind.NOT_HERE);
        assertThat(explain(known).headline()).endsWith("1 of 2 live nodes can claim it.");
        assertThat(explain(known).reasons().get(1).text()).isEqualTo("is left to other nodes: this one is too old");
        ExplainerInput alone = new ExplainerInput(
                due(),
                List.of(),
                List.of(node("n1", "note")),
                List.of(),
                List.of(),
                null,
                refusal,
                null,
                null,
                null,
                NOW);
        assertThat(kinds(explain(alone))).containsExactly(Kind.NOT_HERE, Kind.DUE);
        assertThat(explain(alone).headline()).contains("is left to other nodes: this one is too old");
    }

    @Test
    @DisplayName("P9: a due job waits for its group; one whose fire lies in the future does not")
    void group() {
        StoredJob due = grouped();
        Explanation held = explain(behind(due, leased(LATER)));
        assertThat(kinds(held)).containsExactly(Kind.WAITING_FOR_GROUP, Kind.DUE);
        assertThat(held.headline()).contains("group 'till', which job 'k' holds on node n1 (", "until it ends there");
        assertThat(held.reasons().get(0).who()).isEqualTo("k");
        assertThat(kinds(explain(known(due)))).as("the group is free").containsExactly(Kind.DUE);
        StoredJob future = due.with(edit -> edit.due(LATER));
        assertThat(kinds(explain(behind(future, leased(LATER))))).containsExactly(Kind.FUTURE);
    }

    @Test
    @DisplayName("P9: a group whose holder died is reported with the end of its lease, and from when on it is free")
    void groupOfTheDead() {
        StoredJob due = grouped();
        Reason reason = explain(behind(due, leased(NOW))).reasons().get(0);
        assertThat(reason.text()).contains("'k'", "n1", "ended at " + NOW, "free from " + NOW.plusSeconds(2));
        assertThat(reason.until()).isEqualTo(NOW.plusSeconds(2));
    }

    @Test
    @DisplayName(
            "O2, P9: of a lease without a due time it is said that nothing recovers it; its slot is free all the same")
    void leaseWithoutDueTime() {
        StoredJob dead = leased(NOW).with(edit -> edit.due(null));
        Explanation explanation = explain(known(dead));
        assertThat(kinds(explanation)).containsExactly(Kind.NO_DUE_TIME);
        assertThat(explanation.headline())
                .contains("was claimed by node n1", "ended at " + NOW, "no due time", "almanac jobs release 'k'");
        assertThat(kinds(explain(known(leased(LATER).with(edit -> edit.due(null))))))
                .as("a renewal gives it one")
                .containsExactly(Kind.LEASED);
        Instant free = NOW.plus(SchedulerSettings.defaults().margin());
        Reason waits = explain(behind(grouped(), dead)).reasons().get(0);
        assertThat(waits.text()).contains("it is free from " + free + " on");
        assertThat(waits.until()).isEqualTo(free);
        GroupLimits two = new GroupLimits(2, null);
        StoredJob over = leased(NOW.minusSeconds(3600)).with(edit -> edit.due(null));
        assertThat(kinds(explain(inGroup(group(two, over, over))))).containsExactly(Kind.DUE);
        assertThat(explain(inGroup(group(two, dead, dead))).headline())
                .as("margin included")
                .contains("2 of 2 are held");
    }

    private static StoredJob grouped() {
        return Jobs.of(
                Jobs.specification("w")
                        .singleSchedule(EARLIER)
                        .exclusiveGroup("till")
                        .build(),
                EARLIER);
    }

    private static ExplainerInput.GroupState group(GroupLimits limits, StoredJob... holders) {
        return new ExplainerInput.GroupState(new StoredGroup("till", 1, limits, NOW, "ops"), List.of(holders));
    }

    private static ExplainerInput inGroup(ExplainerInput.GroupState state) {
        return new ExplainerInput(
                grouped(), List.of(), NODES, List.of(), List.of(), null, null, state, null, null, NOW);
    }

    @Test
    @DisplayName("P9: a group of several tells how many of how many run; while a slot is free it keeps nobody waiting")
    void slots() {
        GroupLimits two = new GroupLimits(2, null);
        Explanation full = explain(inGroup(group(two, leased(LATER), leased(LATER))));
        assertThat(full.headline()).contains("waits for a slot of group 'till': 2 of 2 are held");
        assertThat(kinds(explain(inGroup(group(two, leased(LATER)))))).containsExactly(Kind.DUE);
    }

    @Test
    @DisplayName("P9: a rate that is used up is reported with its end; slots come first")
    void rate() {
        RateUse used = new RateUse(3, List.of(new RateUse.Count(NOW.minusSeconds(1), 2)));
        GroupLimits limits = new GroupLimits(2, Rate.parse("2/min"));
        StoredGroup till = new StoredGroup("till", 1, limits, NOW, "ops").with(used);
        Explanation waits = explain(inGroup(new ExplainerInput.GroupState(till, List.of(leased(LATER)))));
        assertThat(kinds(waits)).containsExactly(Kind.WAITING_FOR_RATE, Kind.DUE);
        assertThat(waits.headline())
                .contains("the rate of group 'till', 2/min, is used up until " + NOW.plusSeconds(62));
        ExplainerInput full = inGroup(new ExplainerInput.GroupState(till, List.of(leased(LATER), leased(LATER))));
        assertThat(kinds(explain(full))).containsExactly(Kind.WAITING_FOR_GROUP, Kind.DUE);
    }

    @Test
    @DisplayName("P9: a group whose document is damaged says so, and what to do")
    void damagedGroup() {
        StoredGroup damaged = new StoredGroup(
                "till", 0, GroupLimits.ONE, NOW, "", RateUse.NONE, false, "field 'size' is a String, not a number");
        Explanation waits = explain(inGroup(new ExplainerInput.GroupState(damaged, List.of())));
        assertThat(waits.headline()).contains("damaged", "field 'size'", "almanac groups put 'till' --size N");
    }

    private static ExplainerInput behind(StoredJob job, StoredJob holder) {
        return new ExplainerInput(
                job,
                List.of(),
                NODES,
                List.of(),
                List.of(),
                null,
                null,
                group(GroupLimits.ONE, holder),
                null,
                null,
                NOW);
    }

    static Stream<Arguments> claimed() {
        Instant asked = NOW.minusSeconds(5);
        StoredJob monthly = job(job -> job.with(edit -> edit.lease(new Lease("n1", 7, LATER))
                .due(LATER.plusSeconds(2))
                .sequences(job.sequences().claimed())));
        StoredJob byHand = monthly.with(edit -> edit.requests(Requests.NONE.withRunNow(asked)));
        Requests later = Requests.NONE.withExtraRun(new ExtraRun(asked, null, null, 1, null));
        StoredJob failed = monthly.with(edit -> edit.phase(Phase.FAILURE));
        JobExecutionStatus changed = Jobs.row("k", Outcome.NONE, NOW).build();
        return Stream.of(
                Arguments.of(byHand, "it holds the run that was asked for at " + asked),
                Arguments.of(monthly.with(edit -> edit.requests(later)), "it holds attempt 1 of the fire of " + LATER),
                Arguments.of(failed, "it holds the failure command of the fire of " + LATER + ", in attempt 1"),
                Arguments.of(
                        monthly.with(edit -> edit.verdict(changed)),
                        "its next fire is to be planned there, and nothing runs for that"));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("O2: of a claim it is said what it runs: the fire of the plan only if it is that")
    void claimed(StoredJob job, String text) {
        assertThat(explain(known(job)).headline()).endsWith(" until " + LATER + "; " + text + ".");
    }

    @Test
    @DisplayName("P7: cancelled under its lease: it runs still, and no later fire follows")
    void cancelRequested() {
        StoredJob job = leased(LATER).with(edit -> edit.requests(Requests.NONE.cancel(true)));
        Explanation explanation = explain(known(job));
        assertThat(kinds(explanation)).containsExactly(Kind.LEASED, Kind.CANCEL_REQUESTED);
        assertThat(explanation.reasons().get(1).text()).contains("is to be interrupted");
    }

    @Test
    @DisplayName("P7: a pause under a lease is told after the lease, and hides no timing of its own")
    void pausedWhileRunning() {
        assertThat(kinds(explain(paused(leased(LATER), hold("", null, null)))))
                .containsExactly(Kind.LEASED, Kind.PAUSED);
    }

    @Test
    @DisplayName("P8: the failure command is to be delivered, by a node that has its type")
    void failureDelivery() {
        StoredJob job = Jobs.of(
                        Jobs.specification("k")
                                .singleSchedule(EARLIER)
                                .failureCommand(new EncodedCommand("sorry", 1, Map.of()))
                                .failureIdentifier("f")
                                .build(),
                        EARLIER)
                .with(edit -> edit.phase(Phase.FAILURE));
        assertThat(kinds(explain(known(job)))).containsExactly(Kind.NO_NODE, Kind.FAILURE_DELIVERY);
        assertThat(explain(known(job)).headline()).contains("command type 'sorry'");
    }

    @Test
    @DisplayName("C4: fires that a calendar drops before the next one are reported with the calendar's name")
    void dropped() {
        Instant monday = Instant.parse("2030-03-05T09:00:00Z");
        StoredJob job = Jobs.of(
                Jobs.specification("k")
                        .schedulingSpecification("0 0 9 * * ?")
                        .calendars("holidays", "audits")
                        .build(),
                monday);
        Explanation explanation = explain(new ExplainerInput(
                job,
                List.of(),
                NODES,
                List.of(),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                Instant.parse("2030-03-01T10:00:00Z")));
        assertThat(kinds(explanation)).containsExactly(Kind.FUTURE, Kind.EXCLUDED, Kind.EXCLUDED);
        assertThat(explanation.reasons().get(1).text())
                .contains("2 fires before the next one excluded by calendar 'holidays'", "2030-03-02T09:00:00Z");
        assertThat(explanation.reasons().get(1).who()).isEqualTo("holidays");
        assertThat(explanation.reasons().get(2).text()).contains("1 fires", "'audits'", "2030-03-04T09:00:00Z");
        assertThat(explanation.nextFireTimes()).hasSize(5).startsWith(monday, monday.plusSeconds(86_400));
    }

    @Test
    @DisplayName("C4: a fire that a calendar has moved is reported with where from, where to and by which")
    void shifted() {
        Instant nominal = Instant.parse("2030-03-02T09:00:00Z");
        Instant fire = Instant.parse("2030-03-04T09:00:00Z");
        StoredJob job = Jobs.of(
                        Jobs.specification("k")
                                .schedulingSpecification("0 0 9 2 * ?")
                                .calendars("holidays")
                                .calendarPolicy(CalendarPolicy.FOLLOWING)
                                .build(),
                        fire)
                .with(edit -> edit.plan(FirePlan.first(fire, nominal, Jobs.basis(fire))));
        Explanation explanation = explain(known(job));
        assertThat(kinds(explanation)).containsExactly(Kind.FUTURE, Kind.SHIFTED);
        assertThat(explanation.reasons().get(1).text())
                .contains("moved from " + nominal + " to " + fire + " by calendar 'holidays', FOLLOWING");
    }

    @Test
    @DisplayName(
            "C5: a planned fire that a calendar excludes by now will be dropped, and that is told before it happens")
    void willBeDropped() {
        Instant fire = Instant.parse("2030-03-02T09:00:00Z");
        StoredJob job = Jobs.of(
                Jobs.specification("k")
                        .schedulingSpecification("0 0 9 * * ?")
                        .calendars("holidays")
                        .build(),
                fire);
        assertThat(explain(known(job)).reasons())
                .anySatisfy(reason -> assertThat(reason.text())
                        .contains("will not run its planned fire of " + fire + ": calendar 'holidays'"));
    }

    @Test
    @DisplayName("19: a grace, a saved state and counted failures are told; without them nothing is said of them")
    void beside() {
        StoredJob plain = Jobs.of(
                Jobs.specification("k")
                        .singleSchedule(LATER)
                        .pauseAfterFailures(5)
                        .missedFireGrace(Duration.ZERO)
                        .build(),
                LATER);
        assertThat(kinds(explain(known(plain)))).containsExactly(Kind.FUTURE);
        StoredJob job = Jobs.of(
                        Jobs.specification("k")
                                .singleSchedule(LATER)
                                .pauseAfterFailures(5)
                                .missedFireGrace(Duration.ofMinutes(15))
                                .build(),
                        LATER)
                .with(edit -> edit.state(Map.of("page", 7)));
        StoredJob failing = job.with(edit -> edit.plan(job.plan().failedInARow(2)));
        Explanation explanation = explain(known(failing));
        assertThat(kinds(explanation))
                .containsExactly(Kind.FUTURE, Kind.GRACE, Kind.SAVED_STATE, Kind.FAILURES_COUNTED);
        assertThat(explanation.reasons().stream().map(Explanation.Reason::text))
                .contains(
                        "counts a fire as missed only if it has passed by more than PT15M",
                        "hands 1 values that its last run has saved to the next run",
                        "has failed for good in 2 fires in a row; after 5 it is paused");
    }

    @Test
    @DisplayName("T6: a fire that a clock change has moved is reported")
    void clockChange() {
        Instant fire = Instant.parse("2030-03-31T01:00:00Z");
        StoredJob job = Jobs.of(
                Jobs.specification("k")
                        .schedulingSpecification("0 30 2 31 3 ?")
                        .zoneId(ZoneId.of("Europe/Berlin"))
                        .build(),
                fire);
        Explanation explanation = explain(known(job));
        assertThat(kinds(explanation)).containsExactly(Kind.FUTURE, Kind.CLOCK_CHANGE);
        assertThat(explanation.reasons().get(1).text()).contains("2030-03-31T02:30 to " + fire, "Europe/Berlin");
    }

    @Test
    @DisplayName("R8: unknown calendars, and a cron that cannot be read, are reported first and break nothing")
    void unplannable() {
        StoredJob unknown = Jobs.of(
                Jobs.specification("k")
                        .schedulingSpecification("0 0 9 * * ?")
                        .calendars("nowhere")
                        .build(),
                LATER);
        assertThat(kinds(explain(known(unknown)))).containsExactly(Kind.UNKNOWN_CALENDAR, Kind.FUTURE);
        StoredJob damaged = Jobs.of(
                Jobs.specification("k").schedulingSpecification("every day").build(), LATER);
        assertThat(kinds(explain(known(damaged)))).containsExactly(Kind.UNPLANNABLE, Kind.FUTURE);
    }

    @Test
    @DisplayName("N8, S16: what waits to be planned says what for, and shows no fire of the plan that it had")
    void unplanned() {
        StoredJob stored = Jobs.of(
                Jobs.specification("k").schedulingSpecification("0 0 9 * * ?").build(), LATER);
        StoredJob changed = stored.with(edit -> edit.due(NOW).verdict(stored.lastStatus()));
        Explanation explanation = explain(known(changed));
        assertThat(kinds(explanation)).startsWith(Kind.UNPLANNED);
        assertThat(explanation.headline()).contains("its schedule was changed", "a node that knows its calendars");
        assertThat(explanation.nextFireTimes()).isEmpty();
        assertThat(explanation.nextStart()).isNull();
        StoredJob ended = stored.with(edit -> edit.due(NOW)
                .verdict(stored.lastStatus().toBuilder()
                        .outcome(Outcome.SUCCEEDED)
                        .build()));
        assertThat(explain(known(ended)).headline()).contains("its run has ended");
    }

    @Test
    @DisplayName("R4: what has passed is told last: missed fires with first, last and number, failures, dead claims")
    void past() {
        MissedFires missed = new MissedFires(EARLIER, NOW, 17, false);
        Explanation explanation = explain(withRows(
                job(j -> j),
                Jobs.row("k", Outcome.MISSED, NOW).missed(missed).build(),
                Jobs.row("k", Outcome.SUCCEEDED, EARLIER).build(),
                Jobs.row("k", Outcome.RETRIES_EXHAUSTED, EARLIER)
                        .executionStatus(ExecutionStatus.FAILED)
                        .error(new ErrorSummary("E", "boom", null))
                        .build(),
                Jobs.row("k", Outcome.ABANDONED, EARLIER).node("n7").build(),
                Jobs.row("k", Outcome.EXCLUDED, EARLIER).detail("a calendar").build()));
        assertThat(kinds(explanation))
                .containsExactly(Kind.FUTURE, Kind.MISSED, Kind.FAILED, Kind.ABANDONED, Kind.EXCLUDED);
        assertThat(explanation.reasons().get(1).text()).contains("has missed 17 fires from " + EARLIER + " to " + NOW);
        assertThat(explanation.reasons().get(2).text()).contains("as RETRIES_EXHAUSTED with E: boom");
        assertThat(explanation.reasons().get(3).who()).isEqualTo("n7");
    }

    @Test
    @DisplayName("O2: maxFires bounds the fires that are shown")
    void maxFires() {
        StoredJob job = Jobs.of(
                        Jobs.specification("k")
                                .schedulingSpecification("0 0 9 * * ?")
                                .maxFires(7)
                                .build(),
                        LATER)
                .with(edit -> edit.plan(FirePlan.first(LATER, null, null).firesEnded(5, null)));
        assertThat(explain(known(job)).nextFireTimes()).containsExactly(LATER, LATER.plusSeconds(86_400));
    }

    @Test
    @DisplayName("O2: a key that is not stored, and a document that cannot be read, have an explanation")
    void strange() {
        assertThat(Explainer.unknown("k", NOW).headline()).startsWith("Job 'k' is not stored");
        assertThat(kinds(Explainer.unknown("k", NOW))).containsExactly(Kind.UNKNOWN_KEY);
        Explanation damaged = Explainer.damaged(new DamagedJob("17", "k", "no zone"), NOW);
        assertThat(kinds(damaged)).containsExactly(Kind.DAMAGED);
        assertThat(damaged.headline())
                .startsWith("Job 'k' cannot be read")
                .contains("the document 17 of job 'k'", "no zone", "'Changing documents by hand'")
                .doesNotContain("left alone", "others");
        Explanation newer = Explainer.damaged(new DamagedJob("17", "k", "zone Mars/North", true), NOW);
        assertThat(newer.headline())
                .as("X6: nothing is wrong with it")
                .contains("zone Mars/North", "others may be able to read it", "their release of Almanac")
                .doesNotContain("correct it", "by hand");
    }

    @Test
    @DisplayName("O2 S4: a fire whose start deadline is over is too late, and only then")
    void tooLate() {
        StoredJob job = Jobs.of(
                Jobs.specification("k")
                        .schedulingSpecification("0 0 * * * ?")
                        .startDeadline(Duration.ofMinutes(10))
                        .build(),
                NOW.minus(Duration.ofMinutes(11)));
        assertThat(explain(known(job)).reasons())
                .filteredOn(reason -> reason.kind() == Kind.TOO_LATE)
                .singleElement()
                .satisfies(reason -> assertThat(reason.since()).isEqualTo(NOW.minus(Duration.ofMinutes(1))));
        StoredJob late = job.with(edit -> edit.plan(
                Jobs.of(job.specification(), NOW.minus(Duration.ofMinutes(9))).plan()));
        assertThat(explain(known(late)).reasons()).extracting(Reason::kind).doesNotContain(Kind.TOO_LATE);
        StoredJob retried = job.with(edit -> edit.plan(job.plan().retryAt(NOW, null)));
        assertThat(explain(known(retried)).reasons()).extracting(Reason::kind).doesNotContain(Kind.TOO_LATE);
    }

    @Test
    @DisplayName(
            "O2, L27: a one-off whose endAt has passed is too late: the next claim records that, unless it has begun")
    void pastItsEnd() {
        Instant end = NOW.minusSeconds(10);
        StoredJob over = Jobs.of(
                Jobs.specification("k").singleSchedule(EARLIER).endAt(end).build(), EARLIER);
        assertThat(explain(known(over)).reasons())
                .filteredOn(reason -> reason.kind() == Kind.TOO_LATE)
                .singleElement()
                .satisfies(reason -> {
                    assertThat(reason.since()).isEqualTo(end);
                    assertThat(reason.text()).contains("endAt " + end, "records that and does not run it");
                });
        StoredJob open = Jobs.of(
                Jobs.specification("k").singleSchedule(EARLIER).endAt(NOW).build(), EARLIER);
        assertThat(kinds(explain(known(open)))).containsExactly(Kind.DUE);
        StoredJob retried = over.with(edit -> edit.plan(over.plan().retryAt(NOW, null)));
        assertThat(kinds(explain(known(retried)))).doesNotContain(Kind.TOO_LATE);
        StoredJob abandoned = over.with(edit -> edit.sequences(over.sequences().claimed()));
        assertThat(kinds(explain(known(abandoned)))).doesNotContain(Kind.TOO_LATE);
        StoredJob asked = over.with(edit -> edit.requests(Requests.NONE.withRunNow(NOW)));
        assertThat(kinds(explain(known(asked)))).doesNotContain(Kind.TOO_LATE);
        StoredJob each = hourly(job -> job.endAt(end), EARLIER);
        assertThat(kinds(explain(known(each))))
                .as("S3: the last fire of a recurrence runs")
                .doesNotContain(Kind.TOO_LATE);
    }

    private static StoredJob hourly(UnaryOperator<JobSpecificationBuilder> more, Instant fire) {
        return Jobs.of(
                more.apply(Jobs.specification("k").schedulingSpecification("0 0 * * * ?"))
                        .build(),
                fire);
    }

    private static ExplainerInput onNodes(StoredJob job, List<NodeReport> nodes, List<StandingPause> pauses) {
        return new ExplainerInput(job, List.of(), nodes, List.of(), pauses, null, null, null, null, null, NOW);
    }

    @Test
    @DisplayName(
            "O2: of a lease that is over it is said why no node recovers it: none has the type, all are on standby")
    void notRecovered() {
        StoredJob job = leased(NOW.minusSeconds(3600));
        Explanation rare = explain(onNodes(job, List.of(node("n2", "other")), List.of()));
        assertThat(kinds(rare)).containsExactly(Kind.NO_NODE, Kind.RECOVERY_PENDING);
        assertThat(rare.headline()).contains("none has the command type 'note'");
        assertThat(rare.reasons().get(1).text()).endsWith("not claimed yet; 0 of 1 live nodes can claim it");
        StandingPause standby = new StandingPause(PauseScope.node("n1"), new Pause("repair", "ops", null), EARLIER);
        Explanation held = explain(onNodes(job, NODES, List.of(standby)));
        assertThat(kinds(held)).containsExactly(Kind.NO_NODE, Kind.RECOVERY_PENDING);
        assertThat(held.headline()).contains("are on standby");
        Explanation empty = explain(onNodes(job, List.of(), List.of()));
        assertThat(kinds(empty)).containsExactly(Kind.RECOVERY_PENDING);
        assertThat(empty.headline()).contains("no node is live");
    }

    @Test
    @DisplayName(
            "S20: a node that claims nothing cannot claim the job; explain quotes it if none can, and nothing else")
    void claimsNothing() {
        NodeReport ill = Jobs.claimingNothing(node("n3", "note"), "it is not rehydrated");
        StandingPause standby = new StandingPause(PauseScope.node("n1"), new Pause("repair", "ops", null), EARLIER);
        Explanation one = explain(onNodes(due(), List.of(node("n1", "note"), ill), List.of()));
        assertThat(kinds(one)).containsExactly(Kind.DUE);
        assertThat(one.headline()).contains("1 of 2 live nodes can claim it");
        Explanation none = explain(onNodes(due(), List.of(node("n1", "note"), ill), List.of(standby)));
        assertThat(kinds(none)).containsExactly(Kind.NO_NODE, Kind.DUE);
        assertThat(none.headline())
                .endsWith(
                        "claims anything; node n3 (host-n3): it is not rehydrated; others that could are on standby.");
        Explanation leased = explain(onNodes(leased(LATER), List.of(ill), List.of()));
        assertThat(kinds(leased)).as("a claim goes on").containsExactly(Kind.LEASED);
    }

    @Test
    @DisplayName("O2: a pause of its kind holds back the recovery, its own pause does not")
    void recoveryPaused() {
        StoredJob job = leased(NOW.minusSeconds(3600));
        assertThat(kinds(explain(paused(job, hold(" with tag:x", null, EARLIER)))))
                .containsExactly(Kind.PAUSED, Kind.RECOVERY_PENDING);
        assertThat(kinds(explain(paused(job, hold("", null, EARLIER)))))
                .containsExactly(Kind.RECOVERY_PENDING, Kind.PAUSED);
    }

    @Test
    @DisplayName("O2, P9: a recovery claim enters the group as every claim does: a rate that is used up is told first")
    void recoveryInGroup() {
        StoredJob job = grouped().with(edit -> edit.lease(new Lease("n1", 7, NOW.minusSeconds(3600))));
        RateUse used = new RateUse(3, List.of(new RateUse.Count(NOW.minusSeconds(1), 2)));
        StoredGroup till = new StoredGroup("till", 1, new GroupLimits(2, Rate.parse("2/min")), NOW, "ops").with(used);
        assertThat(kinds(explain(recovering(job, till)))).containsExactly(Kind.WAITING_FOR_RATE, Kind.RECOVERY_PENDING);
        StoredJob later = job.with(edit -> edit.due(LATER));
        assertThat(kinds(explain(recovering(later, till)))).containsExactly(Kind.RECOVERY_PENDING);
    }

    @Test
    @DisplayName(
            "O2, P5: a claim without a recorded end is told without its lease, too, and that FAIL runs nothing again")
    void recoveryWithoutLease() {
        StoredJob released = due().with(edit -> edit.sequences(Sequences.NEW.claimed()));
        Explanation explanation = explain(known(released));
        assertThat(kinds(explanation)).containsExactly(Kind.RECOVERY_PENDING);
        assertThat(explanation.headline())
                .contains("claim that ended without a recorded outcome", "claimed again from " + EARLIER + " on")
                .doesNotContain("crashed");
        assertThat(kinds(explain(known(released.with(
                        edit -> edit.sequences(released.sequences().released()))))))
                .as("an end is on record")
                .containsExactly(Kind.DUE);
        StoredJob once = released.with(edit -> edit.specification(
                due().specification().toBuilder().crashPolicy(CrashPolicy.FAIL).build()));
        assertThat(explain(known(once)).headline()).as("it never began").doesNotContain("crashed");
        StoredJob begun = once.with(edit -> edit.sequences(once.sequences().started()));
        assertThat(explain(known(begun)).headline()).contains("records it as crashed and does not run it again");
        StoredJob dead = begun.with(edit -> edit.lease(new Lease("n1", 7, NOW)));
        assertThat(explain(known(dead)).headline()).contains("records it as crashed and does not run it again");
        StoredJob follow = begun.with(edit -> edit.phase(Phase.FOLLOW));
        assertThat(kinds(explain(known(follow)))).containsExactly(Kind.FOLLOW_UPS);
        StoredJob ended = dead.with(edit -> edit.phase(Phase.FOLLOW).verdict(dead.lastStatus()));
        assertThat(explain(known(ended)).headline())
                .contains("its follow-ups come next")
                .doesNotContain("crashed", "without a recorded outcome");
        StoredJob cancelled = dead.with(edit -> edit.requests(Requests.NONE.cancel(false)));
        assertThat(explain(known(cancelled)).headline()).as("it is cancelled").doesNotContain("crashed");
    }

    private static ExplainerInput recovering(StoredJob job, StoredGroup group) {
        ExplainerInput.GroupState state = new ExplainerInput.GroupState(group, List.of());
        return new ExplainerInput(job, List.of(), NODES, List.of(), List.of(), null, null, state, null, null, NOW);
    }

    @Test
    @DisplayName("S14: a pause in force leads; a planned one comes behind it, also that of the job itself")
    void pausedAndToBePaused() {
        ExplainerInput.Hold planned = new ExplainerInput.Hold(
                "", new Pause("move", "ann", NOW.plusSeconds(60), LATER.plusSeconds(60)), NOW.plusSeconds(60));
        Explanation explanation = explain(paused(job(j -> j), planned, hold(" with tag:x", null, EARLIER)));
        assertThat(kinds(explanation)).containsExactly(Kind.PAUSED, Kind.PAUSED);
        assertThat(explanation.headline()).contains("is paused with tag:x by ops");
        assertThat(explanation.reasons().get(1).text()).contains("is to be paused by ann");
    }

    @Test
    @DisplayName("P7: a cancelled job shows the present fire and none that would follow")
    void canceledHasNoLaterFires() {
        StoredJob running = hourly(job -> job, NOW)
                .with(edit -> edit.lease(new Lease("n1", 1, LATER)).due(LATER).requests(Requests.NONE.cancel(false)));
        assertThat(explain(known(running)).nextFireTimes()).containsExactly(NOW);
        StoredJob free = running.with(edit -> edit.lease(null).due(NOW));
        assertThat(explain(known(free)).nextFireTimes()).isEmpty();
        assertThat(explain(known(free)).nextStart()).isNull();
    }

    @Test
    @DisplayName("P7: a noted cancel is told without a lease, too, and no pause of its own is said to hold it back")
    void canceledWithoutLease() {
        StoredJob job = hourly(more -> more, NOW).with(edit -> edit.requests(Requests.NONE.cancel(false)));
        Explanation next = explain(paused(job, hold("", null, EARLIER)));
        assertThat(next.headline()).contains("is cancelled: the next claim records it, and no later fire follows");
        assertThat(kinds(next)).contains(Kind.DUE);
        Explanation follow = explain(known(job.with(edit -> edit.phase(Phase.FOLLOW))));
        assertThat(follow.headline()).contains("is cancelled: the follow-ups of its last run are stored first");
        assertThat(kinds(explain(paused(job, hold(" with tag:x", null, EARLIER)))))
                .startsWith(Kind.PAUSED, Kind.CANCEL_REQUESTED);
    }

    @Test
    @DisplayName("O2: while follow-ups are stored, the fire that has ended is no next fire: the list begins behind it")
    void followUpsAwaited() {
        StoredJob ended = hourly(job -> job.maxFires(9), NOW)
                .with(edit -> edit.phase(Phase.FOLLOW)
                        .verdict(Jobs.row("k", Outcome.SUCCEEDED, NOW).build()));
        Explanation free = explain(known(ended));
        assertThat(free.headline())
                .contains("is to be claimed again from " + NOW
                        + " on and not claimed yet; 1 of 2 live nodes can claim it; its run has ended as SUCCEEDED")
                .endsWith("nothing of it runs again.");
        assertThat(free.nextStart()).as("it is still to be planned").isNull();
        assertThat(free.nextFireTimes()).hasSize(5).startsWith(NOW.plusSeconds(3600), NOW.plusSeconds(7200));
        Explanation held = explain(known(ended.with(edit -> edit.lease(new Lease("n1", 7, LATER)))));
        assertThat(held.nextFireTimes()).isEqualTo(free.nextFireTimes());
        assertThat(held.nextStart()).isNull();
        StoredJob last = ended.with(
                edit -> edit.plan(FirePlan.first(NOW, null, Jobs.basis(NOW)).firesEnded(8, null)));
        assertThat(explain(known(last)).nextFireTimes()).isEmpty();
        StoredJob secondLast = ended.with(
                edit -> edit.plan(FirePlan.first(NOW, null, Jobs.basis(NOW)).firesEnded(7, null)));
        assertThat(explain(known(secondLast)).nextFireTimes()).containsExactly(NOW.plusSeconds(3600));
        StoredJob canceled = ended.with(edit -> edit.requests(Requests.NONE.cancel(false)));
        assertThat(explain(known(canceled)).nextFireTimes()).isEmpty();
        StoredJob byHand = ended.with(edit ->
                edit.verdict(Jobs.row("k", Outcome.SUCCEEDED, NOW).manual(true).build()));
        assertThat(explain(known(byHand)).nextStart())
                .as("a run by hand leaves the plan as it is")
                .isEqualTo(NOW);
        assertThat(explain(known(byHand)).nextFireTimes()).startsWith(NOW, NOW.plusSeconds(3600));
    }

    @Test
    @DisplayName("S4: a fire that an abandoned claim may have begun is not too late: the next claim runs it again")
    void abandonedIsNotTooLate() {
        Instant fire = NOW.minus(Duration.ofMinutes(11));
        StoredJob planned = hourly(job -> job.startDeadline(Duration.ofMinutes(10)), fire);
        StoredJob abandoned =
                planned.with(edit -> edit.sequences(planned.sequences().claimed()));
        assertThat(kinds(explain(known(planned)))).contains(Kind.TOO_LATE);
        assertThat(kinds(explain(known(abandoned)))).doesNotContain(Kind.TOO_LATE);
        StoredJob failing = hourly(
                        job -> job.startDeadline(Duration.ofMinutes(10)).crashPolicy(CrashPolicy.FAIL), fire)
                .with(edit -> edit.sequences(planned.sequences().claimed()));
        assertThat(kinds(explain(known(failing)))).as("it never began").contains(Kind.TOO_LATE);
    }

    @Test
    @DisplayName("C5: a run that was asked for leads, though the job is blocked for want of a fire")
    void runNowWithoutFire() {
        StoredJob blocked = hourly(more -> more, NOW)
                .with(edit -> edit.blocked(new Blocked(Blocked.Kind.NO_FIRE, "its calendars leave it no fire"))
                        .plan(FirePlan.first(null, null, null))
                        .requests(Requests.NONE.withRunNow(NOW)));
        Explanation explanation = explain(known(blocked));
        assertThat(explanation.headline()).contains("is to run at once and not claimed yet; 1 of 2 live nodes");
        assertThat(kinds(explanation)).contains(Kind.BLOCKED);
        assertThat(kinds(explain(onNodes(blocked, List.of(node("n2", "other")), List.of()))))
                .startsWith(Kind.NO_NODE, Kind.RUN_NOW);
    }

    @Test
    @DisplayName("P9: a slot of a dead holder is free to the next claim once its job may be claimed again")
    void slotsOfTheDead() {
        GroupLimits two = new GroupLimits(2, null);
        StoredJob dead = leased(NOW.minusSeconds(3600));
        assertThat(kinds(explain(inGroup(group(two, dead, dead))))).containsExactly(Kind.DUE);
        assertThat(kinds(explain(inGroup(group(two, leased(LATER), dead))))).containsExactly(Kind.DUE);
        assertThat(explain(inGroup(group(two, leased(LATER), leased(NOW)))).headline())
                .as("margin included")
                .contains("2 of 2 are held");
    }
}
