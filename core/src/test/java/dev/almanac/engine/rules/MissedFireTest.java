package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.changeOf;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.passed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.Phase;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of fires that have passed, and what is done about them. */
class MissedFireTest {
    private static final FireDecider DECIDER = new FireDecider(States.planner());

    /** The decision so long after the newest fire, under a lease that was taken just before. */
    private static Decision decide(StoredJob job, Duration late) {
        Instant now = NOW.plus(late);
        return DECIDER.decide(
                job.with(edit -> edit.lease(new Lease("n2", 7, now.plusSeconds(20)))), CONTEXT.notBefore(now));
    }

    @ParameterizedTest(name = "{0}, {1} h: {2}")
    @DisplayName("R4: fires that have passed, and the one that is run")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly                 ; 0 ; start                                     ; 0
                    hourly                 ; 1 ; prepare: SCHEDULED/MISSED -> claimed      ; 1
                    hourly                 ; 5 ; prepare: SCHEDULED/MISSED -> claimed      ; 5
                    hourly skip            ; 0 ; start                                     ; 0
                    hourly skip            ; 2 ; prepare: SCHEDULED/MISSED -> claimed      ; 2
                    hourly run all         ; 2 ; start                                     ; 0
                    hourly run all         ; 3 ; prepare: SCHEDULED/MISSED -> claimed      ; 1
                    hourly run all         ; 9 ; prepare: SCHEDULED/MISSED -> claimed      ; 7
                    hourly, retried        ; 5 ; start                                     ; 0
                    hourly, put off        ; 5 ; start                                     ; 0
                    """)
    void missed(String kind, int hours, String story, long missed) {
        StoredJob job = passed(claimed(kind), hours);
        StoredJob retried = job.with(edit -> edit.plan(job.plan().retryAt(NOW, null)));
        StoredJob putOff = job.with(edit -> edit.plan(job.plan().postponedTo(NOW, null)));
        StoredJob begun = kind.contains("retried") ? retried : kind.contains("put off") ? putOff : job;
        Decision decision = DECIDER.decide(begun, CONTEXT);
        assertThat(States.story(decision)).isEqualTo(story);
        if (missed > 0) {
            assertThat(changeOf(decision).rows().get(0).missed().count()).isEqualTo(missed);
            assertThat(changeOf(decision).by()).isEqualTo(By.HOLDER);
        }
    }

    @ParameterizedTest(name = "{0}: {1} of eight run")
    @DisplayName("R4, S18: a preview says of each fire of a planned pause what will become of it as the pause ends")
    @CsvSource({"hourly, 1", "hourly run all, 3", "hourly skip, 0"})
    void previewed(String kind, int run) {
        FirePlanner planner = States.planner();
        StoredJob job = claimed(kind);
        Pause pause = new Pause("why", "who", NOW.plusSeconds(1), NOW.plus(Duration.ofMinutes(8 * 60 + 30)));
        List<FirePreview> rows = planner.preview(job.specification(), NOW, 5);
        List<FirePreview> first = PausedFires.preview(job, rows, planner, List.of(pause), NOW, CONTEXT.settings());
        List<FirePreview> all = PausedFires.preview(
                job, planner.preview(job.specification(), NOW, 8), planner, List.of(pause), NOW, CONTEXT.settings());
        assertThat(all).filteredOn(row -> row.fireTime() != null).hasSize(run);
        // rows that are not shown count, too
        assertThat(first).isEqualTo(all.subList(0, 5));
    }

    @Test
    @DisplayName("R4: a planned fire that calendars exclude by now is missed, and the plan does not come back to it")
    void excludedSince() {
        Instant planned = NOW.minus(Duration.ofHours(1));
        MissedFireDecider edited = new MissedFireDecider(States.planner(Map.of("open", excluding(planned))));
        StoredJob job = passed(claimed("hourly calendar"), 1);
        JobChange change = changeOf(edited.decide(job, planned, CONTEXT.notBefore(NOW.plusSeconds(1)))
                .orElseThrow());
        assertThat(change.after().plan().nextFireTime()).isEqualTo(NOW);
        assertThat(change.after().plan().basis().after()).isEqualTo(planned);
        assertThat(change.rows().get(0).missed()).isEqualTo(new MissedFires(planned, planned, 1, false));
    }

    @Test
    @DisplayName("R4: fires between that calendars exclude by now are neither counted nor told as missed")
    void excludedBetween() {
        Instant planned = NOW.minus(Duration.ofHours(4));
        ExclusionCalendar open = excluding(NOW.minus(Duration.ofHours(3)), NOW.minus(Duration.ofHours(1)));
        MissedFireDecider edited = new MissedFireDecider(States.planner(Map.of("open", open)));
        StoredJob job = passed(claimed("hourly calendar"), 4);
        JobChange change = changeOf(edited.decide(job, planned, CONTEXT.notBefore(NOW.plusSeconds(1)))
                .orElseThrow());
        assertThat(change.after().plan().nextFireTime()).isEqualTo(NOW);
        assertThat(change.rows().get(0).missed())
                .isEqualTo(new MissedFires(planned, NOW.minus(Duration.ofHours(2)), 2, false));
    }

    @ParameterizedTest
    @CsvSource({"FOLLOWING, 1", "FOLLOWING, 999", "PRECEDING, 1000", "MODIFIED_FOLLOWING, 1000", "DROP, 1000"})
    @DisplayName(
            "S3: RUN_ALL keeps the last fires of many, and finds the first of them by a few questions to a calendar")
    void manyKept(CalendarPolicy policy, int cap) {
        AtomicInteger asked = new AtomicInteger();
        ExclusionCalendar weekdays = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                asked.incrementAndGet();
                return instant.atZone(zone).getDayOfWeek().getValue() < 6;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId zone) {
                return Optional.of(Jobs.without("2030-04-06", "2030-04-07")
                        .nextIncluded(from, zone)
                        .orElseThrow());
            }
        };
        FirePlanner planner = new FirePlanner(new FirePlanner.Calendars(Map.of("bank", weekdays)));
        JobSpecification job = Jobs.specification("k")
                .schedulingSpecification("0 0/5 * * * ?")
                .calendar("bank")
                .calendarPolicy(policy)
                .missedFirePolicy(MissedFirePolicy.runAll(cap))
                .build();
        List<Instant> fires = new ArrayList<>();
        Instant now = Instant.parse("2030-04-11T12:00:01Z");
        for (Instant at = now.minus(Duration.ofDays(8)); !at.isAfter(now); ) {
            at = planner.next(job, at).orElseThrow().fireTime();
            fires.add(at);
        }
        fires.remove(fires.size() - 1);
        asked.set(0);
        JobChange change = changeOf(new MissedFireDecider(planner)
                .decide(Jobs.of(job, fires.get(0)), fires.get(0), CONTEXT.notBefore(now))
                .orElseThrow());
        assertThat(change.after().plan().nextFireTime()).isEqualTo(fires.get(fires.size() - cap));
        assertThat(change.rows().get(0).missed().count()).isEqualTo(fires.size() - cap);
        assertThat(asked.get()).isLessThan(100 * 8 * 288);
    }

    @Test
    @DisplayName("R4: a single fire that has passed is run late, and not missed")
    void single() {
        StoredJob job = passed(claimed("hourly"), 0);
        assertThat(States.story(DECIDER.decide(job, CONTEXT.notBefore(NOW.plusSeconds(10)))))
                .isEqualTo("start");
    }

    @Test
    @DisplayName("R4 M7: fires that are missed twice under one claim are told by two rows")
    void twice() {
        MissedFireDecider missed = new MissedFireDecider(States.planner());
        StoredJob job = passed(claimed("hourly"), 2);
        JobChange first =
                changeOf(missed.decide(job, job.plan().nextFireTime(), CONTEXT).orElseThrow());
        DecisionContext later = CONTEXT.notBefore(NOW.plus(Duration.ofHours(2)));
        JobChange second =
                changeOf(missed.decide(first.after(), first.after().plan().nextFireTime(), later)
                        .orElseThrow());
        assertThat(second.rows().get(0).missed().count()).isEqualTo(2);
        assertThat(second.rows().get(0).claimSeq())
                .isEqualTo(first.rows().get(0).claimSeq());
        assertThat(second.rows().get(0).id()).isNotEqualTo(first.rows().get(0).id());
    }

    private static ExclusionCalendar excluding(Instant... fires) {
        Set<Instant> excluded = Set.of(fires);
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                return !excluded.contains(instant);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId zone) {
                return Optional.of(excluded.contains(from) ? from.plusMillis(1) : from);
            }
        };
    }

    @Test
    @DisplayName("N3, R4: a user's change writes the row of missed fires before the document, and its own row after it")
    void missedBeforeRequest() {
        StoredJob moved =
                changeOf(DECIDER.decide(passed(claimed("hourly"), 5), CONTEXT)).after();
        JobChange paused = RequestDecider.pause(moved, new Pause("audit", "ann", null), CONTEXT);
        assertThat(moved.lastStatus().missed()).isNotNull();
        assertThat(paused.by()).isEqualTo(By.REQUEST);
        assertThat(paused.rowsBefore()).containsExactly(moved.lastStatus());
        assertThat(paused.rows()).containsExactly(paused.after().lastStatus());
    }

    private static StoredJob job(UnaryOperator<JobSpecificationBuilder> more, Duration ago) {
        Instant fire = NOW.minus(ago);
        StoredJob job = claimed("hourly");
        return job.with(edit -> edit.specification(
                        more.apply(job.specification().toBuilder()).build())
                .plan(job.plan().moveTo(fire, null, Jobs.basis(fire))));
    }

    private static StoredJob hourly(String policy, @Nullable Duration deadline, @Nullable Duration grace, int hours) {
        return job(
                given -> given.missedFirePolicy(MissedFirePolicy.parse(policy))
                        .startDeadline(deadline)
                        .missedFireGrace(grace),
                Duration.ofHours(hours));
    }

    private static @Nullable Duration minutes(@Nullable Integer minutes) {
        return minutes == null ? null : Duration.ofMinutes(minutes);
    }

    /** Hourly fires up to 08:00; it is so many minutes later. */
    @ParameterizedTest(name = "{0}, deadline {1}, grace {2}, {3} h, {4} min: {5}")
    @DisplayName("S3, S4: which fires are missed, why, and which one runs")
    @CsvSource(delimiter = ';', textBlock = """
                    SKIP       ;     ;    ; 0 ; 0   ; start                                     ; 0 ;
                    SKIP       ;     ;    ; 0 ; 1   ; start                                     ; 0 ;
                    SKIP       ;     ;    ; 0 ; 2   ; settle: SCHEDULED/MISSED -> waiting 09:00 ; 1 ; TOO_LATE
                    SKIP       ;     ;    ; 3 ; 1   ; prepare: SCHEDULED/MISSED -> claimed      ; 3 ; NEWER
                    SKIP       ;     ;    ; 3 ; 2   ; settle: SCHEDULED/MISSED -> waiting 09:00 ; 4 ; TOO_LATE
                    SKIP       ;     ; 5  ; 0 ; 5   ; start                                     ; 0 ;
                    SKIP       ;     ; 5  ; 0 ; 6   ; settle: SCHEDULED/MISSED -> waiting 09:00 ; 1 ; TOO_LATE
                    SKIP       ;     ; 90 ; 3 ; 2   ; prepare: SCHEDULED/MISSED -> claimed      ; 2 ; NEWER
                    SKIP       ; 10  ;    ; 0 ; 9   ; start                                     ; 0 ;
                    SKIP       ; 10  ;    ; 0 ; 11  ; settle: SCHEDULED/MISSED -> waiting 09:00 ; 1 ; TOO_LATE
                    RUN_LATEST ;     ;    ; 0 ; 59  ; start                                     ; 0 ;
                    RUN_LATEST ;     ;    ; 3 ; 59  ; prepare: SCHEDULED/MISSED -> claimed      ; 3 ; NEWER
                    RUN_LATEST ;     ; 90 ; 3 ; 2   ; prepare: SCHEDULED/MISSED -> claimed      ; 2 ; NEWER
                    RUN_LATEST ;     ; 90 ; 1 ; 2   ; start                                     ; 0 ;
                    RUN_LATEST ; 10  ;    ; 3 ; 10  ; prepare: SCHEDULED/MISSED -> claimed      ; 3 ; NEWER
                    RUN_LATEST ; 10  ;    ; 3 ; 11  ; settle: SCHEDULED/MISSED -> waiting 09:00 ; 4 ; TOO_LATE
                    RUN_LATEST ; 10  ; 90 ; 3 ; 2   ; prepare: SCHEDULED/MISSED -> claimed      ; 3 ; TOO_LATE
                    RUN_ALL    ;     ;    ; 9 ; 30  ; start                                     ; 0 ;
                    RUN_ALL    ; 150 ;    ; 9 ; 0   ; prepare: SCHEDULED/MISSED -> claimed      ; 7 ; TOO_LATE
                    RUN_ALL    ; 150 ;    ; 2 ; 0   ; start                                     ; 0 ;
                    RUN_ALL    ; 10  ;    ; 9 ; 11  ; settle: SCHEDULED/MISSED -> waiting 09:00 ; 10; TOO_LATE
                    RUN_ALL(3) ; 900 ;    ; 9 ; 0   ; prepare: SCHEDULED/MISSED -> claimed      ; 7 ; CAP
                    RUN_ALL(3) ; 90  ;    ; 9 ; 0   ; prepare: SCHEDULED/MISSED -> claimed      ; 8 ; TOO_LATE
                    RUN_ALL(3) ;     ; 90 ; 9 ; 0   ; prepare: SCHEDULED/MISSED -> claimed      ; 5 ; CAP
                    """)
    void deadline(
            String policy,
            @Nullable Integer deadline,
            @Nullable Integer grace,
            int hours,
            int late,
            String story,
            long count,
            @Nullable String reason) {
        StoredJob job = hourly(policy, minutes(deadline), minutes(grace), hours);
        Decision decision = decide(job, Duration.ofMinutes(late));
        assertThat(States.story(decision)).isEqualTo(story);
        if (count > 0) {
            MissedFires missed = changeOf(decision).rows().get(0).missed();
            assertThat(missed.count()).isEqualTo(count);
            assertThat(missed.reason()).hasToString(reason);
            assertThat(missed.first()).isEqualTo(NOW.minus(Duration.ofHours(hours)));
            assertThat(missed.last()).isEqualTo(missed.first().plus(Duration.ofHours(count - 1)));
            assertThat(changeOf(decision).after().sequences().fireSeq()).isEqualTo(count);
        }
    }

    @Test
    @DisplayName("S4: what has begun starts however late; so does a failure command, and a run that a user asked for")
    void exempt() {
        Duration later = Duration.ofSeconds(3000);
        StoredJob job = hourly("RUN_LATEST", Duration.ofMinutes(10), null, 0);
        assertThat(States.story(decide(job, later))).startsWith("settle: SCHEDULED/MISSED");
        List<StoredJob> exempt = List.of(
                job.with(edit -> edit.plan(job.plan().retryAt(NOW, null))),
                job.with(edit -> edit.plan(job.plan().postponedTo(NOW, null))),
                job.with(edit -> edit.plan(job.plan().withRerun())),
                job.with(edit -> edit.requests(job.requests().withRunNow(NOW))),
                claimed("one-off failing over owing")
                        .with(edit ->
                                edit.specification(claimed("one-off failing over owing").specification().toBuilder()
                                        .startDeadline(Duration.ofMinutes(10))
                                        .build())));
        assertThat(exempt)
                .allSatisfy(
                        begun -> assertThat(States.story(decide(begun, later))).startsWith("start"));
    }

    @Test
    @DisplayName(
            "S4: a one-off that is too late fails as EXPIRED, and owes its failure command; one that has begun does not")
    void oneOff() {
        Duration later = Duration.ofSeconds(61);
        StoredJob plain = claimed("one-off failing over");
        StoredJob job = plain.with(edit -> edit.specification(plain.specification().toBuilder()
                .startDeadline(Duration.ofMinutes(1))
                .build()));
        assertThat(States.story(decide(plain, later))).startsWith("start");
        assertThat(States.story(decide(job, Duration.ofSeconds(60)))).startsWith("start");
        JobChange change = changeOf(decide(job, later));
        assertThat(change.rows()).singleElement().satisfies(row -> {
            assertThat(row.executionStatus() + "/" + row.outcome()).isEqualTo("FAILED/EXPIRED");
            assertThat(row.detail()).isEqualTo("too late: startDeadline PT1M passed before it could start");
        });
        assertThat(change.after().phase()).isEqualTo(Phase.FAILURE);
        StoredJob put = job.with(edit -> edit.plan(job.plan().postponedTo(NOW, null)));
        assertThat(States.story(decide(put, later))).startsWith("start");
    }

    /** The job has a start deadline of a minute; the carried fire is that of 08:00, or of so many minutes before. */
    @ParameterizedTest(name = "{0}, {1} min before, {2} s late: {3}")
    @DisplayName("S2, S4: a carried fire of a one-off starts in time, or is missed, or has failed if no other follows")
    @CsvSource(delimiter = ';', textBlock = """
                    one-off              ; 0 ; 60 ; start
                    one-off              ; 0 ; 61 ; settle: FAILED/EXPIRED -> finished
                    one-off failing over ; 0 ; 61 ; settle: FAILED/EXPIRED -> owing 08:01
                    one-off              ; 1 ; 0  ; start
                    one-off              ; 1 ; 1  ; prepare: SCHEDULED/MISSED -> claimed
                    """)
    void carriedIntoOneOff(String kind, int minutes, int late, String story) {
        StoredJob job = carried(within(kind, Duration.ofMinutes(1)), Duration.ofMinutes(minutes));
        assertThat(States.story(decide(job, Duration.ofSeconds(late)))).isEqualTo(story);
    }

    @ParameterizedTest
    @DisplayName("S4: no decision starts a fire that may not start any more; while it may, each kind of job is started")
    @ValueSource(
            strings = {
                "one-off",
                "one-off calendar",
                "one-off failing over",
                "hourly",
                "hourly skip",
                "hourly run all",
                "hourly calendar",
                "hourly bounded"
            })
    void neverTooLate(String kind) {
        StoredJob own = within(kind, Duration.ofMinutes(1));
        List<StoredJob> jobs =
                List.of(own, carried(own, Duration.ZERO), carried(own, Duration.ofMinutes(1)), passed(own, 3));
        int started = 0;
        for (StoredJob job : jobs) {
            for (int late : List.of(0, 1, 59, 60, 61, 3_599, 3_600, 3_661, 10_000)) {
                StoredJob next = job;
                Decision decision = decide(next, Duration.ofSeconds(late));
                while (decision instanceof Decision.Prepare prepare) {
                    next = prepare.change().after();
                    decision = decide(next, Duration.ofSeconds(late));
                }
                boolean starts = decision instanceof Decision.Start;
                Instant latest = StartDeadline.latest(next, CONTEXT.settings()).orElseThrow();
                assertThat(starts && NOW.plusSeconds(late).isAfter(latest))
                        .as("%s is started %d s late", next.plan(), late)
                        .isFalse();
                started += starts ? 1 : 0;
            }
        }
        assertThat(started).isPositive();
    }

    private static StoredJob within(String kind, Duration deadline) {
        StoredJob job = claimed(kind);
        return job.with(edit -> edit.specification(
                job.specification().toBuilder().startDeadline(deadline).build()));
    }

    /** The job with a fire so long before 08:00 that a change at 08:00 has carried. */
    private static StoredJob carried(StoredJob job, Duration before) {
        return job.with(edit -> edit.plan(job.plan().carry(NOW.minus(before), null, NOW)));
    }

    @Test
    @DisplayName(
            "S4: a fire that a change made due later than its instant counts from there, and so do those after it up to there")
    void since() {
        StoredJob job = hourly("RUN_ALL", Duration.ofMinutes(10), null, 5);
        PlanBasis given = job.plan().basis();
        StoredJob opened = job.with(edit -> edit.plan(job.plan()
                .moveTo(
                        job.plan().nextFireTime(),
                        null,
                        new PlanBasis(
                                given.zoneRules(),
                                given.local(),
                                given.after(),
                                null,
                                null,
                                NOW.minusSeconds(300),
                                Map.of()))));
        assertThat(States.story(DECIDER.decide(opened, CONTEXT))).isEqualTo("start");
        assertThat(States.story(decide(opened, Duration.ofSeconds(301))))
                .isEqualTo("prepare: SCHEDULED/MISSED -> claimed");
        assertThat(changeOf(decide(opened, Duration.ofSeconds(301)))
                        .after()
                        .plan()
                        .nextFireTime())
                .isEqualTo(NOW);
    }

    @Test
    @DisplayName("S4: a fixed delay that is too late is planned again from the moment that this is recorded")
    void delayed() {
        StoredJob job = job(
                given -> {
                    StoredFields.of(given).anchor(NOW.minusSeconds(3600));
                    return given.everyAfterEnd(Duration.ofMinutes(30)).startDeadline(Duration.ofMinutes(10));
                },
                Duration.ofMinutes(30));
        JobChange change = changeOf(DECIDER.decide(job, CONTEXT));
        assertThat(change.rows().get(0).missed().reason()).isEqualTo(MissedFires.Reason.TOO_LATE);
        assertThat(change.after().plan().nextFireTime())
                .isEqualTo(change.rows().get(0).updatedTime().plus(Duration.ofMinutes(30)));
        assertThat(change.after().isLive()).isTrue();
    }

    private static StoredJob everySecond(String policy, Duration ago) {
        return job(
                given -> given.schedulingSpecification("* * * * * ?").missedFirePolicy(MissedFirePolicy.parse(policy)),
                ago);
    }

    @Test
    @DisplayName("S5: counts are exact at the largest cap, up to a million, and then at least that; the words say so")
    void counts() {
        JobChange capped = changeOf(DECIDER.decide(everySecond("RUN_ALL(10000)", Duration.ofSeconds(19_999)), CONTEXT));
        assertThat(capped.rows().get(0).missed().count()).isEqualTo(10_000);
        assertThat(capped.rows().get(0).detail())
                .startsWith("10000 planned fires passed without a run, RUN_ALL(10000)");
        assertThat(States.story(DECIDER.decide(capped.after(), CONTEXT))).isEqualTo("start");
        JobChange one = changeOf(DECIDER.decide(everySecond("RUN_ALL(10000)", Duration.ofSeconds(10_000)), CONTEXT));
        assertThat(one.rows().get(0).detail()).startsWith("1 planned fire passed");
        JobChange exact = changeOf(DECIDER.decide(everySecond("RUN_LATEST", Duration.ofSeconds(1_000_000)), CONTEXT));
        assertThat(exact.rows().get(0).missed().count()).isEqualTo(1_000_000);
        assertThat(exact.rows().get(0).missed().more()).isFalse();
        JobChange more = changeOf(DECIDER.decide(everySecond("RUN_LATEST", Duration.ofSeconds(1_000_001)), CONTEXT));
        assertThat(more.rows().get(0).missed().more()).isTrue();
        assertThat(more.rows().get(0).detail()).startsWith("at least 1000000 planned fires");
    }
}
