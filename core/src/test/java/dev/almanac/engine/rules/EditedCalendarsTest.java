package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.Retention;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.Blocked;
import dev.almanac.store.FirePlan;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a date that has fired, once the calendar is edited that has moved it, or would (rules C4, C5). */
class EditedCalendarsTest {
    /** @param dates such as {@code 03-31 04-01}, of 2030; {@code none} = of none */
    private static FirePlanner closedOn(String dates) {
        String[] closed = dates.equals("none")
                ? new String[0]
                : Arrays.stream(dates.split(" ")).map(date -> "2030-" + date).toArray(String[]::new);
        return new FirePlanner(new FirePlanner.Calendars(Map.of("bank", Jobs.without(closed))));
    }

    private static Instant at(String date) {
        return LocalDate.parse("2030-" + date).atTime(LocalTime.of(9, 0)).toInstant(ZoneOffset.UTC);
    }

    // 31 March 2030 is a Sunday
    @ParameterizedTest
    @CsvSource({
        "FOLLOWING, L ?, 03-31, 04-01, 03-31 04-01, 04-30",
        "FOLLOWING, ? SUN, 03-31, 04-01, 03-31 04-01, 04-07",
        "FOLLOWING, ? SUN, 03-31, 04-01, 03-31 04-07 04-08, 04-09",
        "FOLLOWING, L ?, none, 03-31, 03-31, 04-30",
        "NEXT_INCLUDED, ? SUN, none, 03-31, 03-31, 04-07",
        "PRECEDING, * ?, 03-30 03-31, 03-29, 03-30, 03-31",
        "PRECEDING, '? SAT,SUN', 03-29 03-30, 03-28, 03-30 03-31, 03-29",
    })
    @DisplayName("C4 C5: a date that has fired is not moved by an edit, and fires once; each other date fires")
    void once(CalendarPolicy policy, String days, String closed, String fired, String edited, String next) {
        String[] fields = days.split(" ");
        JobSpecification job = Jobs.specification("k")
                .schedulingSpecification("0 0 9 " + fields[0] + (fields[1].equals("?") ? " * ?" : " * " + fields[1]))
                .calendar("bank")
                .calendarPolicy(policy)
                .build();
        FirePlanner before = closedOn(closed);
        Instant given = at(fired).minusSeconds(60);
        FirePlan first = before.planFrom(job, Jobs.of(job, given).plan(), before.next(job, given), given);
        assertThat(first.nextFireTime()).isEqualTo(at(fired));
        FirePlanner by = closedOn(edited);
        FirePlan waiting =
                new CompletionDecider(before).following(job, first, at(fired)).orElseThrow();
        FirePlan anew = by.planAnew(job, waiting, at(fired).plusSeconds(60)).orElse(waiting);
        assertThat(anew.nextFireTime()).as("edited behind the run").isEqualTo(at(next));
        assertThat(new CompletionDecider(by)
                        .following(job, first, at(fired))
                        .orElseThrow()
                        .nextFireTime())
                .as("edited during the run")
                .isEqualTo(at(next));
        assertThat(by.planAnew(job, anew, at(fired).plusSeconds(120)))
                .as("it stays so")
                .isEmpty();
    }

    private static Instant moment(String time) {
        return LocalDateTime.parse("2030-" + time).toInstant(ZoneOffset.UTC);
    }

    private static JobSpecification following(String cron) {
        return Jobs.specification("k")
                .schedulingSpecification(cron)
                .calendar("bank")
                .calendarPolicy(CalendarPolicy.FOLLOWING)
                .build();
    }

    /** The plan that holds a fire, after all fires of three days have run. */
    private static FirePlan holding(FirePlanner planner, JobSpecification job, Instant fire) {
        Instant given = fire.minus(Duration.ofDays(3));
        FirePlan plan = planner.planFrom(job, Jobs.of(job, given).plan(), planner.next(job, given), given);
        while (plan.nextFireTime().isBefore(fire)) {
            plan = new CompletionDecider(planner)
                    .following(job, plan, plan.nextFireTime())
                    .orElseThrow();
        }
        assertThat(plan.nextFireTime()).isEqualTo(fire);
        return plan;
    }

    @ParameterizedTest
    @CsvSource({
        "FOLLOWING, 03-31T09:03",
        "FOLLOWING, 04-01T08:00",
        "NEXT_INCLUDED, 03-31T09:03",
        "NEXT_INCLUDED, 04-01T08:00"
    })
    @DisplayName(
            "C5, M3: the update of a blocked job whose last date was closed behind its run leaves the plan as it is")
    void updatedWhileBlocked(CalendarPolicy policy, String updatedAt) {
        JobSpecification job =
                following("0 0 9 ? * SUN").toBuilder().calendarPolicy(policy).build();
        StoredJob updated =
                updatedWhileBlocked(closedOn("03-31"), job, planBehind(job, at("03-31")), moment(updatedAt));
        assertThat(updated.plan().nextFireTime()).isEqualTo(at("04-07"));
        assertThat(updated.blocked()).isNull();
    }

    private static FirePlan planBehind(JobSpecification job, Instant ran) {
        return new CompletionDecider(closedOn("none"))
                .following(job, holding(closedOn("none"), job, ran), ran)
                .orElseThrow();
    }

    private static StoredJob updatedWhileBlocked(FirePlanner by, JobSpecification job, FirePlan plan, Instant now) {
        StoredJob blocked =
                Jobs.of(job, at("04-07")).with(edit -> edit.plan(plan).due(null).blocked(Blocked.toRepair("why")));
        DecisionContext context = new DecisionContext(now, "n", 0, SchedulerSettings.defaults(), Retention.DEFAULT);
        JobSpecification given = job.toBuilder().priority(2).build();
        return RequestDecider.update(
                        blocked,
                        new SpecificationCheck.Accepted(
                                given, by.first(given, context.now()).orElseThrow(), by),
                        context)
                .orElseThrow()
                .after();
    }

    @Test
    @DisplayName(
            "C5: a blocked job without a fire that is updated does not run its last date again after a further edit")
    void editedAfterUpdate() {
        JobSpecification job = following("0 0 9 ? * SUN");
        FirePlan ran = planBehind(job, at("03-31"));
        FirePlan lacking = ran.moveTo(null, null, ran.basis());
        FirePlan updated = updatedWhileBlocked(closedOn("03-31"), job, lacking, moment("03-31T09:03"))
                .plan();
        assertThat(updated.nextFireTime()).isEqualTo(at("04-07"));
        FirePlan onTheNextDay = updatedWhileBlocked(closedOn("none"), job, lacking, moment("04-01T07:00"))
                .plan();
        assertThat(closedOn("03-31").planAnew(job, onTheNextDay, moment("04-01T08:00")))
                .as("closed on the date to which it would be moved")
                .isEmpty();
        assertThat(closedOn("03-31 04-07")
                        .planAnew(job, updated, at("03-31").plusSeconds(240))
                        .orElseThrow()
                        .nextFireTime())
                .isEqualTo(at("04-08"));
        assertThat(closedOn("none").planAnew(job, updated, at("03-31").plusSeconds(240)))
                .as("the date that has run is open again")
                .isEmpty();
    }

    @Test
    @DisplayName("C5: a fire that waits for the next open date is not lost if its own date is closed for longer")
    void waitingFire() {
        JobSpecification job = following("0 0 9,17 ? * MON");
        FirePlanner freeze = planner(at -> at.isBefore(moment("03-31T20:00")) || !at.isBefore(moment("04-01T12:00")));
        FirePlan ran = holding(freeze, job, moment("04-01T17:00"));
        FirePlan waiting = new CompletionDecider(freeze)
                .following(job, ran, moment("04-01T17:00"))
                .orElseThrow();
        assertThat(waiting.nextFireTime()).isEqualTo(moment("04-02T09:00"));
        FirePlanner longer = planner(at -> at.isBefore(moment("03-31T20:00")) || !at.isBefore(moment("04-02T00:00")));
        assertThat(longer.planAnew(job, waiting, moment("04-01T18:00"))
                        .orElse(waiting)
                        .nextFireTime())
                .isEqualTo(moment("04-02T09:00"));
    }

    @Test
    @DisplayName("C5: a fire that waits is not lost either if another one of its date is planned before it")
    void waitingBehindThePlanned() {
        JobSpecification job = following("0 0 9,17,18 ? * SUN");
        FirePlanner morning = planner(at -> at.isBefore(moment("03-31T00:00")) || !at.isBefore(moment("03-31T12:00")));
        FirePlan planned = holding(morning, job, moment("03-31T18:00"));
        FirePlanner day = planner(at -> at.isBefore(moment("03-31T00:00")) || !at.isBefore(moment("04-01T00:00")));
        assertThat(day.planAnew(job, planned, moment("03-31T17:30"))
                        .orElseThrow()
                        .nextFireTime())
                .isEqualTo(moment("04-01T09:00"));
    }

    private static FirePlanner planner(Predicate<Instant> open) {
        return new FirePlanner(new FirePlanner.Calendars(Map.of("bank", new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return open.test(instant);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
                return Stream.iterate(from, at -> at.plusSeconds(60))
                        .limit(100_000)
                        .filter(open)
                        .findFirst();
            }
        })));
    }

    @ParameterizedTest
    @CsvSource({
        "DROP, none, 03-31, 03-31T01, 04-01T00",
        "NEXT_INCLUDED, none, 03-31, 03-31T01, 04-01T00",
        "FOLLOWING, none, 03-31, 03-31T01, 04-01T00",
        "DROP, 03-31, 04-01, 04-01T00, 03-31T01",
    })
    @DisplayName("C4: a fixed delay whose planned fire is excluded at the claim goes on at the next included instant")
    void excludedDelay(CalendarPolicy policy, String closed, String edited, String planned, String next) {
        Instant ended = Instant.parse("2030-03-30T23:00:00Z");
        JobSpecification job = StoredFields.of(Jobs.specification("k")
                        .schedulingSpecification("PT2H")
                        .cronDialect(CronDialect.EVERY_AFTER_END)
                        .calendar("bank")
                        .calendarPolicy(policy))
                .anchor(ended)
                .build();
        StoredJob first = Jobs.of(job, ended);
        FirePlan plan = closedOn(closed).planAfterEnd(job, first.plan()).orElseThrow();
        Instant fire = LocalDateTime.parse("2030-" + planned + ":00").toInstant(ZoneOffset.UTC);
        assertThat(plan.nextFireTime()).isEqualTo(fire);
        DecisionContext context =
                new DecisionContext(fire.plusSeconds(1), "n", 0, SchedulerSettings.defaults(), Retention.DEFAULT);
        StoredJob after = new CompletionDecider(closedOn(edited))
                .excluded(first.with(edit -> edit.plan(plan)), context)
                .after();
        assertThat(after.isLive()).isTrue();
        assertThat(after.plan().nextFireTime())
                .isEqualTo(LocalDateTime.parse("2030-" + next + ":00").toInstant(ZoneOffset.UTC));
    }

    @Test
    @DisplayName(
            "C4: a time that the clock shows twice fires twice where a calendar has moved it, since an interval does")
    void bothPasses() {
        JobSpecification job = Jobs.specification("k")
                .schedulingSpecification("0 0 * ? * SAT")
                .zoneId(ZoneId.of("Asia/Jerusalem"))
                .calendar("bank")
                .calendarPolicy(CalendarPolicy.FOLLOWING)
                .build();
        FirePlanner planner =
                new FirePlanner(new FirePlanner.Calendars(Map.of("bank", Jobs.without("2026-10-24", "2026-10-31"))));
        Instant fire = Instant.parse("2026-10-24T22:00:00Z");
        FirePlan first = planner.planFrom(
                job, Jobs.of(job, fire).plan(), planner.next(job, fire.minusSeconds(60)), fire.minusSeconds(60));
        assertThat(first.nextFireTime()).isEqualTo(fire);
        FirePlan second =
                new CompletionDecider(planner).following(job, first, fire).orElseThrow();
        assertThat(second.nextFireTime()).isEqualTo(fire.plusSeconds(3_600));
        assertThat(planner.planAnew(job, second, fire.plusSeconds(60))).isEmpty();
    }
}
