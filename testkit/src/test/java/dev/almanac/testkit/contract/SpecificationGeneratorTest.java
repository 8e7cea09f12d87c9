package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SpecificationGeneratorTest {
    private static final Instant BASE = Instant.parse("2026-03-01T00:00:00Z");

    private record Note(int number) implements SchedulingCommand {}

    private static final class Silent implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return true;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private static List<JobSpecification> draw(long seed, int number) {
        SpecificationGenerator generator =
                new SpecificationGenerator(seed, BASE, random -> new Note(random.nextInt(100)));
        return Stream.generate(generator::next).limit(number).toList();
    }

    @Test
    @DisplayName("the same seed draws the same specifications, another seed others; all keys differ")
    void seeds() {
        assertThat(draw(1, 50)).isEqualTo(draw(1, 50)).isNotEqualTo(draw(2, 50));
        assertThat(draw(1, 50))
                .extracting(JobSpecification::jobSpecificationKey)
                .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("M1, M2, M3: a scheduler takes every one of them, and an equal one again changes nothing")
    void valid() {
        ManualTime time = new ManualTime(BASE);
        Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryJobStore(time))
                .time(time)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(1))
                .lanes(new ManualLanes(time).node())
                .command("note", 1, Note.class)
                .helper(new Silent())
                .build();
        for (JobSpecification job : draw(3, 500)) {
            var stored = scheduler.scheduleJob(job);
            assertThat(scheduler.scheduleJob(job)).isEqualTo(stored);
        }
    }

    @Test
    @DisplayName("every optional field comes and stays away")
    void coverage() {
        List<JobSpecification> drawn = draw(4, 200);
        List<Function<JobSpecification, Object>> fields = List.of(
                JobSpecification::schedulingSpecification,
                JobSpecification::singleSchedule,
                JobSpecification::singleScheduleLocal,
                JobSpecification::failureCommand,
                JobSpecification::lateExecutionThreshold,
                JobSpecification::executionTimeout,
                JobSpecification::exclusiveGroup,
                JobSpecification::startAt,
                JobSpecification::endAt,
                JobSpecification::maxFires,
                JobSpecification::retention,
                JobSpecification::applicationTag,
                JobSpecification::processingContext);
        for (int i = 0; i < fields.size(); i++) {
            assertThat(drawn.stream()
                            .map(fields.get(i))
                            .filter(Objects::nonNull)
                            .count())
                    .as("field %d", i)
                    .isBetween(10L, 190L);
        }
        assertThat(drawn).extracting(JobSpecification::priority).contains(0, 7);
        assertThat(drawn).extracting(JobSpecification::daylightSavingPolicy).doesNotContainNull();
    }
}
