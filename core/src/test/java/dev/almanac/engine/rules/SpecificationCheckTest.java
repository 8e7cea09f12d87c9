package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Problem;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of what is refused, and in which form the rest is stored. */
class SpecificationCheckTest {
    private static final ZoneId ZONE = ZoneId.of("Europe/Brussels");
    private static final SpecificationCheck CHECK = new SpecificationCheck(
            States.planner(), SchedulerSettings.defaults(), new SpecificationCheck.Defaults(ZONE, null, null));

    private static JobSpecificationBuilder hourly() {
        return Jobs.specification("k").schedulingSpecification("0 0 * * * ?").version(0);
    }

    private static JobSpecificationBuilder oneOff() {
        return Jobs.specification("k").singleSchedule(NOW.plusSeconds(60)).version(0);
    }

    private static Arguments line(
            String field, JobSpecificationBuilder base, UnaryOperator<JobSpecificationBuilder> edit) {
        return Arguments.of(field, edit.apply(base).build());
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                line("jobSpecificationKey", hourly(), job -> job.jobSpecificationKey("")),
                line("jobSpecificationKey", hourly(), job -> job.jobSpecificationKey("x".repeat(257))),
                line("jobSpecificationKey", hourly(), job -> job.jobSpecificationKey("a\nb")),
                line("jobRequestor", hourly(), job -> job.jobRequestor("")),
                line("tags", hourly(), job -> job.tags("")),
                line("schedulingSpecification", hourly(), job -> job.singleSchedule(NOW)),
                line("schedulingSpecification", hourly(), job -> job.schedulingSpecification("nonsense")),
                line("schedulingSpecification", hourly(), job -> job.schedulingSpecification("0 0 0 30 2 ?")),
                line("schedulingSpecification", hourly(), job -> job.endAt(NOW.plusSeconds(9))),
                line("calendars", hourly(), job -> job.calendar("unknown")),
                line("singleSchedule", oneOff(), job -> job.singleSchedule(NOW.minus(Duration.ofDays(9)))),
                line("endAt", oneOff(), job -> job.endAt(NOW.plusSeconds(9))),
                line("endAt", hourly(), job -> job.startAt(NOW.plusSeconds(9)).endAt(NOW)),
                line("startAt", hourly(), job -> job.startAt(Instant.MAX)),
                line("priority", hourly(), job -> job.priority(8)),
                line("maxFires", hourly(), job -> job.maxFires(0)),
                line("executionTimeout", hourly(), job -> job.executionTimeout(Duration.ZERO)),
                line("lateExecutionThreshold", hourly(), job -> job.lateExecutionThreshold(Duration.ofSeconds(-1))),
                line("spread", hourly(), job -> job.spread(Duration.ofDays(2))),
                line(
                        "jobSpecificationKey",
                        hourly(),
                        job -> job.jobSpecificationKey(null)
                                .triggerIdentifier("t")
                                .spread(Duration.ofMinutes(1))),
                line("spread", oneOff(), job -> job.spread(Duration.ofMinutes(1))),
                line("missedFireGrace", hourly(), job -> job.missedFireGrace(Duration.ofSeconds(-1))),
                line("pauseAfterFailures", hourly(), job -> job.pauseAfterFailures(0)),
                line("pauseAfterFailures", oneOff(), job -> job.pauseAfterFailures(3)),
                line(
                        "missedFirePolicy",
                        hourly(),
                        job -> job.everyAfterEnd(Duration.ofMinutes(1)).missedFirePolicy(MissedFirePolicy.RUN_ALL)),
                line("version", hourly(), job -> job.version(-1)),
                line("failureCommand", hourly(), job -> job.failureIdentifier("f")),
                line(
                        "triggerCommand",
                        hourly(),
                        job -> job.triggerCommand(new EncodedCommand("note", 1, Map.of("text", "x".repeat(1 << 20))))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    @DisplayName("M1, M2: what cannot be stored is refused, with the field")
    void table(String field, JobSpecification given) {
        assertThatThrownBy(() -> CHECK.accept(given, List.of(), NOW, null))
                .isInstanceOfSatisfying(
                        InvalidJobException.class,
                        e -> assertThat(e.problems()).extracting(Problem::field).containsExactly(field));
    }

    @Test
    @DisplayName("M2: a spread that no clock can count is a problem of the spread, and no failure")
    void longestSpread() {
        JobSpecification given =
                hourly().spread(Duration.ofSeconds(Long.MAX_VALUE)).build();
        assertThatThrownBy(() -> CHECK.accept(given, List.of(), NOW, null))
                .isInstanceOfSatisfying(
                        InvalidJobException.class,
                        e -> assertThat(e.problems()).extracting(Problem::field).containsOnly("spread"));
    }

    private static JobSpecificationBuilder followUp(String key) {
        return Jobs.specification(key).version(0).now();
    }

    private static JobSpecification chain(int steps) {
        JobSpecificationBuilder first = followUp("step " + steps);
        return (steps == 1 ? first : first.onSuccess(chain(steps - 1))).build();
    }

    static Stream<Arguments> refusedFollowUps() {
        JobSpecification[] many =
                Stream.generate(() -> followUp("f").build()).limit(101).toArray(JobSpecification[]::new);
        return Stream.of(
                line(
                        "onSuccess[0].jobSpecificationKey",
                        oneOff(),
                        job -> job.onSuccess(followUp("k").build())),
                line(
                        "onSuccess[0].jobSpecificationKey",
                        oneOff(),
                        job -> job.onSuccess(followUp("{key}").build())),
                line(
                        "onSuccess[0].jobSpecificationKey",
                        oneOff(),
                        job -> job.onSuccess(followUp("{day}").build())),
                line(
                        "onFailure[0].applicationTag",
                        oneOff(),
                        job -> job.onFailure(
                                followUp("f").applicationTag("application").build())),
                line(
                        "onFailure[0].priority",
                        oneOff(),
                        job -> job.onFailure(followUp("f").priority(8).build())),
                line(
                        "onSuccess[1].calendars",
                        oneOff(),
                        job -> job.onSuccess(
                                followUp("f").build(),
                                followUp("g").calendar("unknown").build())),
                line(
                        "onSuccess[0].onSuccess[0].jobSpecificationKey",
                        oneOff(),
                        job -> job.onSuccess(
                                followUp("f").onSuccess(followUp("k").build()).build())),
                line("onSuccess[0]" + ".onSuccess[0]".repeat(5), oneOff(), job -> job.onSuccess(chain(6))),
                line("onSuccess", oneOff(), job -> job.onSuccess(many)),
                line("onSuccess", oneOff(), job -> job.onSuccess(manyTags())));
    }

    /** More together than a stored document may have, though each is small. */
    private static JobSpecification[] manyTags() {
        List<String> tags = IntStream.range(0, 100)
                .mapToObj(i -> String.format("%03d", i) + "x".repeat(253))
                .toList();
        return IntStream.range(0, 60)
                .mapToObj(i -> followUp("f" + i).tags(Set.copyOf(tags)).build())
                .toArray(JobSpecification[]::new);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedFollowUps")
    @DisplayName("16: follow-ups that cannot be stored are refused, with their place and field")
    void followUpTable(String field, JobSpecification given) {
        table(field, given);
    }

    @Test
    @DisplayName("16: a follow-up inherits zone, requestor and identifier; five steps are allowed")
    void followUps() {
        JobSpecification given = oneOff().zoneId(ZoneOffset.UTC)
                .onSuccess(JobSpecification.now(
                        "{key} done", Jobs.specification("k").build().triggerCommand()))
                .onFailure(chain(5))
                .build();
        JobSpecification stored = CHECK.accept(given, List.of(), NOW, null).specification();
        JobSpecification done = stored.onSuccess().get(0);
        assertThat(done.zoneId()).isEqualTo(ZoneOffset.UTC);
        assertThat(done.jobRequestor()).isEqualTo("tests");
        assertThat(done.triggerIdentifier()).isEqualTo("{key} done");
        assertThat(done.isNow()).isTrue();
        assertThat(stored.onFailure()).hasSize(1);
    }

    @Test
    @DisplayName("M1: all problems are reported at once, those that were found before included")
    void all() {
        Problem before = new Problem("triggerCommand", null, "M2", "cannot be encoded");
        JobSpecification given = hourly().priority(9).jobRequestor("").build();
        assertThatThrownBy(() -> CHECK.accept(given, List.of(before), NOW, null))
                .isInstanceOfSatisfying(
                        InvalidJobException.class,
                        e -> assertThat(e.problems())
                                .extracting(Problem::field)
                                .containsExactlyInAnyOrder("triggerCommand", "priority", "jobRequestor"));
    }

    @Test
    @DisplayName("M2: a schedule that is not changed may lie in the past; its new twin may not")
    void past() {
        JobSpecification old =
                oneOff().singleSchedule(NOW.minus(Duration.ofDays(9))).build();
        assertThat(CHECK.accept(old, List.of(), NOW, old).firstFire().fireTime())
                .isEqualTo(old.singleSchedule().orElseThrow());
        assertThatThrownBy(() -> CHECK.accept(old, List.of(), NOW, null)).isInstanceOf(InvalidJobException.class);
    }

    private static JobSpecificationBuilder onClosedDay(CalendarPolicy policy) {
        return oneOff().singleSchedule(NOW.plus(Duration.ofDays(1)))
                .calendar("closed")
                .calendarPolicy(policy);
    }

    /** The day after, today and the day before are excluded. */
    private static final SpecificationCheck CLOSED = new SpecificationCheck(
            States.planner(Map.of("closed", Jobs.without("2030-02-28", "2030-03-01", "2030-03-02"))),
            SchedulerSettings.defaults(),
            new SpecificationCheck.Defaults(ZONE, null, null));

    private static List<Problem> problems(JobSpecificationBuilder given, @Nullable JobSpecification stored) {
        try {
            CLOSED.accept(given.build(), List.of(), NOW, stored);
            return List.of();
        } catch (InvalidJobException e) {
            return e.problems();
        }
    }

    @Test
    @DisplayName("C4: an excluded one-off is refused with DROP, and with PRECEDING if that leads into the past")
    void excludedMoment() {
        assertThat(problems(onClosedDay(CalendarPolicy.DROP), null))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("singleSchedule");
                    assertThat(problem.value()).isEqualTo("2030-03-02T08:00:00Z");
                    assertThat(problem.advice()).contains("[closed]", "DROP");
                });
        assertThat(problems(onClosedDay(CalendarPolicy.PRECEDING), null))
                .singleElement()
                .satisfies(problem -> assertThat(problem.advice()).contains("2030-02-27T08:00:00Z", "before now"));
        assertThat(CLOSED.accept(onClosedDay(CalendarPolicy.FOLLOWING).build(), List.of(), NOW, null))
                .satisfies(accepted -> {
                    assertThat(accepted.firstFire())
                            .isEqualTo(new PlannedFire(NOW.plus(Duration.ofDays(2)), NOW.plus(Duration.ofDays(1))));
                });
    }

    @Test
    @DisplayName("C4: a stored one-off that an edit of its calendars has blocked may be changed all the same")
    void storedAndExcluded() {
        JobSpecification stored = onClosedDay(CalendarPolicy.DROP).version(3).build();
        assertThat(CLOSED.accept(stored.toBuilder().priority(1).build(), List.of(), NOW, stored)
                        .firstFire())
                .isNull();
        assertThat(problems(onClosedDay(CalendarPolicy.DROP).singleSchedule(NOW.plusSeconds(60)), stored))
                .singleElement()
                .satisfies(problem -> assertThat(problem.rule()).isEqualTo("C4"));
    }

    @Test
    @DisplayName("M1: what is stored has a zone, no calendar that it does not name, and moments in whole milliseconds")
    void normalised() {
        JobSpecification given = hourly().zoneId((ZoneId) null)
                .endAt(NOW.plusNanos(9_999_999_999L))
                .build();
        JobSpecification stored =
                CHECK.accept(given, List.of(), NOW.minusSeconds(60), null).specification();
        assertThat(stored.zoneId()).isEqualTo(ZONE);
        assertThat(stored.calendars()).isEmpty();
        assertThat(stored.endAt()).contains(NOW.plusMillis(9_999));
        JobSpecification local = oneOff().zoneId(ZoneOffset.UTC)
                .singleSchedule(LocalDateTime.of(2030, 3, 1, 9, 0, 0, 1))
                .build();
        JobSpecification exact = CHECK.accept(local, List.of(), NOW, null).specification();
        assertThat(exact.singleSchedule()).contains(NOW.plusSeconds(3_600));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "EVERY, PT24H, 2030-03-02T08:00:00.000000001Z, 2030-03-02T08:00:00.001Z",
        "EVERY, PT24H, 2030-03-02T08:00:00.250Z, 2030-03-02T08:00:00.250Z",
        "EVERY, P1D, 2030-03-02T08:00:00.250Z, 2030-03-02T08:00:01Z",
        "EVERY, P1M, 2030-03-02T23:59:59.999999999Z, 2030-03-03T00:00:00Z",
        "EVERY, P1Y, 2030-03-02T08:00:00Z, 2030-03-02T08:00:00Z",
        "EVERY_AFTER_END, PT10M, 2030-03-02T08:00:00.000000001Z, 2030-03-02T08:00:00.001Z",
        "EVERY_AFTER_END, 10m, 2030-03-02T08:00:00.000000001Z, 2030-03-02T08:00:00.001Z",
        "EVERY_AFTER_END, 10m, 2030-03-01T08:05:00Z, 2030-03-01T08:10:00Z",
    })
    @DisplayName(
            "16: startAt is itself a fire, rounded up to what is stored: milliseconds, and seconds of a step by dates")
    void firstFireAtStart(CronDialect dialect, String step, Instant start, Instant first) {
        JobSpecification given = hourly().schedulingSpecification(step)
                .cronDialect(dialect)
                .startAt(start)
                .build();
        SpecificationCheck.Accepted accepted = CHECK.accept(given, List.of(), NOW.plusNanos(1), null);
        assertThat(accepted.firstFire()).isEqualTo(new PlannedFire(first, null));
        Instant anchor = StoredFields.anchorOf(accepted.specification());
        assertThat(anchor).isNotNull().isEqualTo(anchor.truncatedTo(ChronoUnit.MILLIS));
        SpecificationCheck.Accepted again =
                CHECK.accept(given, List.of(), NOW.plusSeconds(30), accepted.specification());
        assertThat(again.specification()).isEqualTo(accepted.specification());
    }

    @Test
    @DisplayName(
            "S15: the steps of a follow-up are counted from its startAt, also from one that has passed, as those of any job")
    void stepsOfFollowUp() {
        Instant start = NOW.minus(Duration.ofDays(400)).plusNanos(1);
        JobSpecification daily = Jobs.specification("daily")
                .version(0)
                .every("P1D")
                .startAt(start)
                .build();
        JobSpecification parent = oneOff().onSuccess(daily).build();
        JobSpecification stored = CHECK.accept(parent, List.of(), NOW, null).specification();
        JobSpecification kept = stored.onSuccess().get(0);
        assertThat(kept.startAt()).contains(start.plusNanos(999_999));
        assertThat(CHECK.accept(kept, List.of(), NOW, kept).firstFire())
                .isEqualTo(CHECK.accept(daily, List.of(), NOW, null).firstFire());
        assertThat(CHECK.accept(parent, List.of(), NOW.plusSeconds(30), stored).specification())
                .isEqualTo(stored);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "1h | EVERY | FOLLOWING | calendarPolicy",
                "* * * * * ? | QUARTZ | PRECEDING | calendarPolicy",
                "0 0 9 1 1 ? 2020 | QUARTZ | DROP | schedulingSpecification",
                "0 0 9 1 1 ? 2020 | QUARTZ | FOLLOWING | schedulingSpecification",
            })
    @DisplayName(
            "S16: where its calendars are not known, a schedule that no node could plan or that never fires again is refused")
    void unplannableWithoutItsCalendars(String text, CronDialect dialect, CalendarPolicy policy, String field) {
        JobSpecification stored =
                hourly().calendar("elsewhere").calendarPolicy(policy).version(3).build();
        JobSpecification given = stored.toBuilder()
                .schedulingSpecification(text)
                .cronDialect(dialect)
                .build();
        assertThatThrownBy(() -> CHECK.accept(given, List.of(), NOW, stored))
                .isInstanceOfSatisfying(
                        InvalidJobException.class,
                        e -> assertThat(e.problems()).extracting(Problem::field).containsExactly(field));
        assertThat(CHECK.accept(stored.toBuilder().priority(1).build(), List.of(), NOW, stored)
                        .isUnplanned())
                .isTrue();
        assertThat(CHECK.accept(given, List.of(), NOW, given).isUnplanned())
                .as("it does not change the schedule")
                .isTrue();
    }
}
