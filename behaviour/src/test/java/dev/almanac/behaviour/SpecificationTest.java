package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.Scheduler;
import dev.almanac.model.FindScope;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.JobState;
import dev.almanac.model.Problem;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StaleJobException;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SpecificationTest {
    record Unregistered() implements SchedulingCommand {}

    private World world;
    private Scheduler scheduler;

    @BeforeEach
    void begin() {
        world = new World(0, InMemoryJobStore::new);
        scheduler = world.node("a").scheduler();
    }

    private List<Problem> problems(JobSpecification job) {
        InvalidJobException refused = catchThrowableOfType(InvalidJobException.class, () -> scheduler.scheduleJob(job));
        assertThat(refused).as("it was accepted: %s", job).isNotNull();
        assertThat(scheduler.listJobs(JobQuery.all()).jobs())
                .as("nothing was written")
                .isEmpty();
        return refused.problems();
    }

    @Test
    @DisplayName(
            "16.4: a refusal is bounded and on lines of its own, whatever the values hold and however many there are")
    void boundedRefusal() {
        Set<String> tags =
                IntStream.range(0, 100_000).mapToObj(i -> "tag\u0007" + i).collect(Collectors.toSet());
        JobSpecification huge = job("k\nalmanac: fine\u001b[2J" + "x".repeat(10_000_000))
                .singleSchedule(START.plusSeconds(5))
                .tags(tags)
                .zoneId("Mars\nalmanac: fine\u202e")
                .build();
        InvalidJobException refused =
                catchThrowableOfType(InvalidJobException.class, () -> scheduler.scheduleJob(huge));
        assertThat(refused.problems())
                .filteredOn(problem -> problem.field().equals("tags"))
                .hasSize(1);
        assertThat(refused.getMessage())
                .hasSizeLessThan(5_000)
                .contains("(10000022 characters)", "has 100000 entries; at most 100 are allowed")
                .doesNotContain("\nalmanac", "\u001b", "\u202e");
        Set<String> hundred = tags.stream().limit(100).collect(Collectors.toSet());
        InvalidJobException listed = catchThrowableOfType(
                InvalidJobException.class,
                () -> scheduler.scheduleJob(job("k").singleSchedule(START.plusSeconds(5))
                        .tags(hundred)
                        .build()));
        assertThat(listed.problems()).hasSize(100);
        assertThat(listed.getMessage()).endsWith("\n  - and 50 more");
    }

    record Heavy(String text, List<String> more) implements SchedulingCommand {}

    @Test
    @DisplayName("16.2, M2: the store in memory refuses bodies of more than 1 MiB, too")
    void heavyInMemory() {
        World other = new World(0, InMemoryJobStore::new);
        Scheduler heavy = Scheduler.builder()
                .store(other.store)
                .command("heavy", 1, Heavy.class)
                .build();
        JobSpecificationBuilder job = job("k").singleSchedule(START.plusSeconds(5));
        for (Heavy large : List.of(
                new Heavy("x".repeat(10_000_000), List.of()),
                new Heavy("", List.of("x".repeat(600_000), "y".repeat(600_000))))) {
            InvalidJobException refused = catchThrowableOfType(
                    InvalidJobException.class,
                    () -> heavy.scheduleJob(job.triggerCommand(large).build()));
            assertThat(refused.problems())
                    .singleElement()
                    .satisfies(
                            problem -> assertThat(problem.toString()).contains("triggerCommand", "more than 1048576"));
        }
        heavy.scheduleJob(
                job.triggerCommand(new Heavy("x".repeat(1_000_000), List.of())).build());
        heavy.close();
    }

    @Test
    @DisplayName("15.9: a key with half of a character is refused: it would be stored as another key")
    void halfCharacters() {
        for (String key : List.of("k\ud800", "\udc00k", "a\ud83d b")) {
            assertThat(problems(job(key).singleSchedule(START.plusSeconds(5)).build()))
                    .extracting(Problem::field)
                    .containsExactlyInAnyOrder("jobSpecificationKey", "triggerIdentifier", "triggerCommand");
        }
        scheduler.scheduleJob(
                job("k\ud83d\ude00").singleSchedule(START.plusSeconds(5)).build());
        assertThat(scheduler.findJobById("k\ud83d\ude00")).isPresent();
    }

    @Test
    @DisplayName("M1: all problems of a specification come at once, each with field, value, rule and advice")
    void allAtOnce() {
        JobSpecification job = JobSpecification.builder()
                .jobSpecificationKey("bad\u0007key")
                .schedulingSpecification("0 0 25 * * ?")
                .singleSchedule(START.plusSeconds(5))
                .triggerCommand(new Unregistered())
                .failureIdentifier("f")
                .zoneId("Europe/Brussel")
                .retryPolicy("often")
                .calendar("unknown")
                .priority(9)
                .maxFires(0)
                .lateExecutionThreshold(Duration.ofSeconds(-1))
                .processingContext(new ProcessingContext("", "r", "u"))
                .build();
        assertThat(problems(job))
                .extracting(Problem::field)
                .contains(
                        "jobSpecificationKey",
                        "jobRequestor",
                        "schedulingSpecification",
                        "triggerCommand",
                        "failureCommand",
                        "zoneId",
                        "retryPolicy",
                        "calendars",
                        "priority",
                        "maxFires",
                        "lateExecutionThreshold",
                        "processingContext.processingEntity");
        assertThat(problems(job)).allSatisfy(problem -> {
            assertThat(problem.rule()).isNotEmpty();
            assertThat(problem.advice()).isNotEmpty();
        });
    }

    @Test
    @DisplayName("M1: what is wrong with the fires is reported together with all other problems")
    void firesBesideOthers() {
        assertThat(problems(job("k").singleSchedule(START.minusSeconds(61))
                        .jobRequestor("")
                        .priority(8)
                        .build()))
                .extracting(Problem::field)
                .containsExactlyInAnyOrder("singleSchedule", "jobRequestor", "priority");
        assertThat(problems(job("k").schedulingSpecification("0 0 0 1 1 ? 2098")
                        .triggerCommand(new Unregistered())
                        .build()))
                .extracting(Problem::field)
                .containsExactlyInAnyOrder("schedulingSpecification", "triggerCommand");
        assertThat(problems(job("k").schedulingSpecification("0 0 0 * * ?")
                        .endAt(START.plusSeconds(1))
                        .startAt(START.plusSeconds(2))
                        .build()))
                .extracting(Problem::field)
                .containsExactly("endAt");
    }

    @Test
    @DisplayName("M1: what is set anew is not blamed for what it was before")
    void setAnew() {
        JobSpecification wrong = job("k").singleSchedule(START.plusSeconds(1))
                .retryPolicy("often")
                .retryPolicy("seldom")
                .zoneId("Europe/Brussel")
                .build();
        assertThat(problems(wrong))
                .extracting(Problem::field, Problem::value)
                .containsExactlyInAnyOrder(tuple("retryPolicy", "seldom"), tuple("zoneId", "Europe/Brussel"));
        scheduler.scheduleJob(wrong.toBuilder()
                .retryPolicy("R5/PT5M")
                .zoneId("Europe/Brussels")
                .build());
    }

    @Test
    @DisplayName("2.1: null is the same as leaving a field out")
    void nulls() {
        JobSpecification left = job("k").schedulingSpecification("0 0 0 * * ?").build();
        JobSpecification nulls = left.toBuilder()
                .cronDialect(null)
                .calendars((List<String>) null)
                .calendarPolicy(null)
                .zoneId((String) null)
                .daylightSavingPolicy(null)
                .missedFirePolicy(null)
                .retryPolicy((String) null)
                .retryPolicy((RetryPolicy) null)
                .crashPolicy(null)
                .tags((Set<String>) null)
                .build();
        assertThat(nulls).isEqualTo(left);
        assertThat(scheduler.scheduleJob(nulls).specification().version()).isEqualTo(1);
        assertThat(scheduler.scheduleJob(left).specification().version()).isEqualTo(1);
    }

    @Test
    @DisplayName("M2: a cron that can never fire, a past one-off, and bounds that leave no fire are refused")
    void neverFires() {
        assertThat(problems(job("k").schedulingSpecification("0 0 0 30 2 ?").build()))
                .hasSize(1);
        assertThat(problems(job("k").singleSchedule(START.minusSeconds(61)).build()))
                .hasSize(1);
        assertThat(problems(job("k").schedulingSpecification("0 0 0 1 1 ? 2098").build()))
                .hasSize(1);
        assertThat(problems(job("k").schedulingSpecification("0 0 0 * * ?")
                        .endAt(START.plusSeconds(1))
                        .build()))
                .hasSize(1);
        scheduler.scheduleJob(job("k").singleSchedule(START).build());
    }

    @Test
    @DisplayName("M2: a payload of more than a mebibyte is refused")
    void payload() {
        String large = "x".repeat((1 << 20) + 1);
        assertThat(problems(job("k").triggerCommand(
                                new dev.almanac.model.EncodedCommand("note", 1, java.util.Map.of("text", large)))
                        .singleSchedule(START.plusSeconds(1))
                        .build()))
                .hasSize(1);
    }

    @Test
    @DisplayName("M3: KEEP keeps, FAIL fails, REPLACE replaces; an update needs a live job and the stored version")
    void versions() {
        JobSpecification first = job("k").singleSchedule(START.plusSeconds(60)).build();
        JobSpecification second = first.toBuilder().priority(1).build();
        scheduler.scheduleJob(first);
        assertThat(scheduler.scheduleJob(second, IfExists.KEEP).specification().priority())
                .isEqualTo(4);
        assertThatThrownBy(() -> scheduler.scheduleJob(second, IfExists.FAIL)).isInstanceOf(JobExistsException.class);
        assertThat(scheduler.scheduleJob(second).specification().version()).isEqualTo(2);
        StaleJobException stale = catchThrowableOfType(
                StaleJobException.class,
                () -> scheduler.updateJob(
                        second.toBuilder().version(1).priority(2).build()));
        assertThat(stale.storedVersion()).isEqualTo(2);
        assertThat(stale.expectedVersion()).isEqualTo(1);
        assertThat(scheduler
                        .updateJob(second.toBuilder().version(2).priority(2).build())
                        .specification()
                        .version())
                .isEqualTo(3);
        assertThatThrownBy(() -> scheduler.updateJob(
                        job("nobody").singleSchedule(START.plusSeconds(9)).build()))
                .isInstanceOf(JobNotFoundException.class);
    }

    @Test
    @DisplayName("M3: changing anything but the schedule leaves the next fire where it is")
    void nextFireStays() {
        JobSpecification job =
                job("k").schedulingSpecification("0 0/10 * * * ?").build();
        var before = scheduler.scheduleJob(job).nextFireTime();
        world.pass(Duration.ofMinutes(3));
        assertThat(scheduler.updateJob(job.toBuilder().priority(1).build()).nextFireTime())
                .isEqualTo(before);
        assertThat(scheduler
                        .updateJob(job.toBuilder()
                                .schedulingSpecification("0 0/7 * * * ?")
                                .build())
                        .nextFireTime())
                .isEqualTo(START.plusSeconds(7 * 60));
    }

    @Test
    @DisplayName("4.2: a one-off given as wall time in a gap fires at the gap's end")
    void localDateTime() {
        var stored = scheduler.scheduleJob(job("k").zoneId("Europe/Brussels")
                .singleSchedule(LocalDateTime.parse("2099-03-29T02:30"))
                .build());
        assertThat(stored.nextFireTime()).isEqualTo("2099-03-29T01:00:00Z");
        assertThat(stored.specification().singleScheduleLocal()).contains(LocalDateTime.parse("2099-03-29T02:30"));
    }

    @Test
    @DisplayName("M7: lastStatus equals the newest row, and updatedTime rises")
    void lastStatus() {
        JobSpecification job = job("k").schedulingSpecification("0/5 * * * * ?").build();
        scheduler.scheduleJob(job);
        world.pass(Duration.ofSeconds(23));
        scheduler.updateJob(job.toBuilder().priority(3).build());
        var rows = scheduler.history("k");
        assertThat(rows.get(0))
                .isEqualTo(scheduler.findJobById("k").orElseThrow().lastStatus());
        for (int i = 1; i < rows.size(); i++) {
            assertThat(rows.get(i - 1).updatedTime()).isAfter(rows.get(i).updatedTime());
        }
    }

    @Test
    @DisplayName("M8: a finished job is hidden from live queries and found among the finished ones")
    void hidden() {
        scheduler.scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(5));
        assertThat(scheduler.findJobById("k")).isEmpty();
        assertThat(scheduler.findJobById("k", FindScope.INCLUDING_FINISHED)).isPresent();
        assertThat(scheduler.findJob("k").orElseThrow().jobState()).isEqualTo(JobState.SUCCEEDED);
        assertThat(scheduler.listJobs(JobQuery.all()).jobs()).isEmpty();
        assertThat(scheduler.history("k"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.deleteTime()).isNotNull());
    }

    @Test
    @DisplayName("M1: follow-ups are added in any number, in one call or several; a whole list replaces them")
    void followUpsAdded() {
        JobSpecification one = job("one").now().build();
        JobSpecification two = job("two").now().build();
        JobSpecification three = job("three").now().build();
        JobSpecification all = job("k").onSuccess(one, two)
                .onSuccess(three)
                .onFailure(three)
                .onFailure(one)
                .build();
        assertThat(all.onSuccess()).containsExactly(one, two, three);
        assertThat(all.onFailure()).containsExactly(three, one);
        JobSpecification fewer =
                all.toBuilder().onSuccess(List.of(two)).onFailure(List.of()).build();
        assertThat(fewer.onSuccess()).containsExactly(two);
        assertThat(fewer.onFailure()).isEmpty();
    }

    @Test
    @DisplayName("M1: tags and calendars are added in any number, in one call or several; the whole set replaces them")
    void added() {
        JobSpecification all = job("k").tag("a")
                .tag("b", "a", "c")
                .calendar("x", "y")
                .calendar("z")
                .build();
        assertThat(all.tags()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(all.calendars()).containsExactly("x", "y", "z");
        JobSpecification fewer =
                all.toBuilder().tags("d", "d", "e").calendars(List.of()).build();
        assertThat(fewer.tags()).containsExactlyInAnyOrder("d", "e");
        assertThat(fewer.calendars()).isEmpty();
        assertThat(all.toBuilder().tags(Set.of()).calendars("v", "w").build().calendars())
                .containsExactly("v", "w");
    }

    @Test
    @DisplayName("M1: a job at a fixed rate needs a key, a step and a command")
    void every() {
        scheduler.scheduleJob(JobSpecification.every("k", Duration.ofMinutes(10), new World.Note("k")).toBuilder()
                .jobRequestor("r")
                .build());
        world.pass(Duration.ofMinutes(25));
        assertThat(scheduler.findJob("k").orElseThrow().nextFireTime()).isEqualTo(START.plus(Duration.ofMinutes(30)));
    }

    @Test
    @DisplayName("M8: findJob answers the live job, else the one that finished last, else nothing")
    void findJob() {
        assertThat(scheduler.findJob("k")).isEmpty();
        for (int i = 1; i <= 2; i++) {
            scheduler.scheduleJob(job("k").singleSchedule(START.plusSeconds(10L * i))
                    .priority(i)
                    .build());
            assertThat(scheduler.findJob("k").orElseThrow().jobState()).isEqualTo(JobState.SCHEDULED);
            world.pass(Duration.ofSeconds(10));
        }
        assertThat(scheduler.findJob("k").orElseThrow().specification().priority())
                .as("the newest finished one")
                .isEqualTo(2);
        assertThat(scheduler.findJobById("k")).as("as before").isEmpty();
    }

    @Test
    @DisplayName("R8: a node leaves alone what it has not registered, and another one runs it")
    void unregistered() {
        world.node(
                        "knows",
                        world.store,
                        Duration.ZERO,
                        builder -> builder.command("other", 1, Unregistered.class)
                                .helper(new dev.almanac.helper.SchedulingHelper() {
                                    @Override
                                    public boolean supports(SchedulingCommand command) {
                                        return command instanceof Unregistered;
                                    }

                                    @Override
                                    public java.util.concurrent.CompletionStage<Void> execute(
                                            String id, SchedulingCommand command) {
                                        return java.util.concurrent.CompletableFuture.completedFuture(null);
                                    }
                                }))
                .lanes()
                .freeze();
        scheduler.scheduleJob(job("k").triggerCommand(new dev.almanac.model.EncodedCommand(
                        "other", 1, java.util.Map.of("command", new Unregistered())))
                .singleSchedule(START.plusSeconds(1))
                .build());
        world.pass(Duration.ofMinutes(2));
        assertThat(scheduler.history("k"))
                .as("nothing is failed for want of code")
                .hasSize(1);
    }
}
