package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.ExclusionCalendar;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
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

    /** Searched minute by minute. */
    private record Shut(Predicate<ZonedDateTime> excluded) implements ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            return !excluded.test(instant.atZone(jobZone));
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            Instant at = from;
            while (!isIncluded(at, jobZone)) {
                at = at.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
            }
            return Optional.of(at);
        }
    }

    private static List<JobSpecification> draw(long seed, int number) {
        SpecificationGenerator generator = new SpecificationGenerator(
                seed, BASE, random -> new Note(random.nextInt(100)), List.of("thirteenths", "leap-days"));
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
                .calendar("thirteenths", new Shut(at -> at.getDayOfMonth() == 13))
                .calendar("leap-days", new Shut(at -> at.getMonthValue() == 2 && at.getDayOfMonth() == 29))
                .helper(new Silent())
                .build();
        for (JobSpecification job : draw(3, 500)) {
            var stored = scheduler.scheduleJob(job);
            assertThat(scheduler.scheduleJob(job)).isEqualTo(stored);
        }
    }

    /** What only stores set, and how a specification is built. */
    private static final Set<String> OTHERS = Set.of(
            "version",
            "followUpOf",
            "once",
            "traceParent",
            "latestUpdate",
            "deleteTime",
            "anchor",
            "now",
            "problems",
            "prioritySet",
            "retriesSet");

    private static Object value(JobSpecification job, String field) {
        try {
            Object value = JobSpecification.class.getMethod(field).invoke(job);
            return value instanceof Optional<?> optional ? optional.orElse(null) : value;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("JobSpecification has no method " + field + "() for the builder's field", e);
        }
    }

    @Test
    @DisplayName("every field is drawn with more than one value, and every optional one comes and stays away")
    void coverage() {
        List<JobSpecification> drawn = draw(4, 200);
        assertThat(JobSpecificationBuilder.class.getDeclaredFields())
                .filteredOn(field -> !Modifier.isStatic(field.getModifiers()) && !OTHERS.contains(field.getName()))
                .extracting(Field::getName)
                .hasSizeGreaterThan(30)
                .allSatisfy(field -> {
                    List<Object> values =
                            drawn.stream().map(job -> value(job, field)).toList();
                    assertThat(new HashSet<>(values)).hasSizeGreaterThan(1);
                    if (values.contains(null)) {
                        assertThat(values).filteredOn(Objects::nonNull).hasSizeBetween(10, 190);
                    }
                });
        assertThat(drawn.stream().filter(job -> !job.calendars().isEmpty()).count())
                .isBetween(10L, 190L);
        assertThat(drawn).extracting(JobSpecification::priority).contains(0, 7);
        assertThat(drawn).extracting(JobSpecification::daylightSavingPolicy).doesNotContainNull();
    }

    @Test
    @DisplayName("every dialect comes, every calendar policy with calendars, and calendars on one-offs, too")
    void calendars() {
        List<JobSpecification> drawn = draw(5, 1_000);
        assertThat(drawn)
                .filteredOn(JobSpecification::isRecurring)
                .extracting(JobSpecification::cronDialect)
                .contains(CronDialect.values());
        assertThat(drawn)
                .filteredOn(job -> job.isRecurring() && !job.calendars().isEmpty())
                .extracting(JobSpecification::calendarPolicy)
                .contains(CalendarPolicy.values());
        assertThat(drawn)
                .filteredOn(job -> !job.isRecurring() && !job.calendars().isEmpty())
                .extracting(JobSpecification::calendarPolicy)
                .doesNotContain(CalendarPolicy.DROP)
                .hasSizeGreaterThan(50)
                .contains(CalendarPolicy.NEXT_INCLUDED, CalendarPolicy.MODIFIED_PRECEDING);
    }
}
