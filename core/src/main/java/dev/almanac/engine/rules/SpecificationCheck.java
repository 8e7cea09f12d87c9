package dev.almanac.engine.rules;

import dev.almanac.helper.CommandRegistry;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.time.CronExpression;
import dev.almanac.time.InvalidCronException;
import dev.almanac.time.PlannedFire;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings a specification into the form that is stored, and finds all that is wrong with it (rules M1, M2). A pure
 * function of the specification, the registered types, the calendars and the moment.
 */
public final class SpecificationCheck {
    private static final int LONGEST_KEY = 256;
    private static final int LARGEST_BODY = 1 << 20;
    private static final int LARGEST_SET = 100;

    private final CommandRegistry registry;
    private final FirePlanner planner;
    private final SchedulerSettings settings;
    private final ZoneId zone;
    private final @Nullable String defaultCalendar;
    private final Consumer<Collection<String>> learn;

    /** @param learn reads anew the calendars of these names, if they can change */
    public SpecificationCheck(
            CommandRegistry registry,
            FirePlanner planner,
            SchedulerSettings settings,
            ZoneId zone,
            @Nullable String defaultCalendar,
            Consumer<Collection<String>> learn) {
        this.registry = registry;
        this.planner = planner;
        this.settings = settings;
        this.zone = zone;
        this.defaultCalendar = defaultCalendar;
        this.learn = learn;
    }

    /** What is to be stored, and its first fire; absent if a schedule that is not changed has none left after now. */
    public record Accepted(
            JobSpecification specification, @Nullable PlannedFire firstFire) {}

    /**
     * @param now the server's clock
     * @param stored the stored contents if this is a change: a schedule that is not changed may lie in the past
     * @throws InvalidJobException with every problem
     */
    public Accepted accept(JobSpecification given, Instant now, @Nullable JobSpecification stored) {
        List<Problem> problems = new ArrayList<>(given.problems());
        SpecificationLimits.moments(given, problems);
        JobSpecification job = normalised(given, problems);
        learn(job);
        identity(job, problems);
        schedule(job, problems);
        SpecificationLimits.bounds(job, problems);
        commands(job, problems);
        context(job, problems);
        Optional<PlannedFire> first =
                SpecificationLimits.hasFires(problems) ? firstFire(job, now, stored, problems) : Optional.empty();
        if (!problems.isEmpty()) {
            throw new InvalidJobException(given.jobSpecificationKey(), problems);
        }
        return new Accepted(job, first.orElse(null));
    }

    /** Sees to it that the job's calendars are known as they are now. */
    public void learn(JobSpecification job) {
        learn.accept(job.calendars());
    }

    private JobSpecification normalised(JobSpecification given, List<Problem> problems) {
        JobSpecificationBuilder job = given.toBuilder();
        ZoneId jobZone = given.zoneId() == null ? zone : given.zoneId();
        job.zoneId(jobZone);
        if (SpecificationLimits.hasFires(problems)) {
            inMilliseconds(given, job, jobZone);
        }
        if (defaultCalendar != null
                && !given.ignoreDefaultCalendar()
                && given.isRecurring()
                && !given.calendars().contains(defaultCalendar)) {
            job.calendar(defaultCalendar);
        }
        encoded("triggerCommand", given.triggerCommand(), problems).ifPresent(job::triggerCommand);
        if (given.failureCommand() != null) {
            encoded("failureCommand", given.failureCommand(), problems).ifPresent(job::failureCommand);
        }
        return job.build();
    }

    private void inMilliseconds(JobSpecification given, JobSpecificationBuilder job, ZoneId jobZone) {
        SpecificationLimits.inMilliseconds(given, job);
        LocalDateTime local = given.singleScheduleLocal();
        if (local != null) {
            LocalDateTime exact = local.truncatedTo(ChronoUnit.MILLIS);
            job.singleSchedule(planner.resolve(exact, jobZone, given.daylightSavingPolicy()), exact);
        }
    }

    private Optional<EncodedCommand> encoded(
            String field, @Nullable SchedulingCommand command, List<Problem> problems) {
        if (command == null) {
            problems.add(new Problem(field, null, "M1", "is required"));
            return Optional.empty();
        }
        try {
            EncodedCommand encoded = registry.encode(command);
            long size = PlainValues.size(encoded.body());
            if (size > LARGEST_BODY) {
                problems.add(new Problem(
                        field,
                        null,
                        "M2",
                        "has a body of about " + size + " bytes, more than " + LARGEST_BODY
                                + "; store it elsewhere and schedule its id"));
            }
            return Optional.of(encoded);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(field, null, "M2", String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private static void identity(JobSpecification job, List<Problem> problems) {
        text("jobSpecificationKey", job.jobSpecificationKey(), problems);
        text("jobRequestor", job.jobRequestor(), problems);
        text("triggerIdentifier", job.triggerIdentifier(), problems);
        optionalText("failureIdentifier", job.failureIdentifier(), problems);
        optionalText("exclusiveGroup", job.exclusiveGroup(), problems);
        optionalText("applicationTag", job.applicationTag(), problems);
        job.tags().forEach(tag -> text("tags", tag, problems));
        if (job.tags().size() > LARGEST_SET || job.calendars().size() > LARGEST_SET) {
            problems.add(new Problem("tags", null, "M2", "and calendars may have at most " + LARGEST_SET + " entries"));
        }
        if ((job.failureCommand() == null) != (job.failureIdentifier() == null)) {
            problems.add(new Problem("failureCommand", null, "M1", "and failureIdentifier come both or not at all"));
        }
    }

    private static void optionalText(String field, @Nullable String value, List<Problem> problems) {
        if (value != null) {
            text(field, value, problems);
        }
    }

    private static void text(String field, @Nullable String value, List<Problem> problems) {
        if (value == null || value.isEmpty()) {
            problems.add(new Problem(field, value, "M1", "is required"));
        } else if (value.length() > LONGEST_KEY) {
            problems.add(new Problem(field, value, "M1", "is longer than " + LONGEST_KEY + " characters"));
        } else if (value.chars().anyMatch(Character::isISOControl)) {
            String shown = value.replaceAll("\\p{Cntrl}", "?");
            problems.add(new Problem(field, shown, "M1", "holds a control character; use printable ones"));
        }
    }

    private void schedule(JobSpecification job, List<Problem> problems) {
        String cron = job.schedulingSpecification();
        boolean single = job.singleSchedule() != null || job.singleScheduleLocal() != null;
        if ((cron != null) == single) {
            problems.add(new Problem(
                    "schedulingSpecification", cron, "M1", "or singleSchedule: exactly one of the two is required"));
        }
        if (cron != null) {
            try {
                if (!CronExpression.parse(cron, job.cronDialect()).canFire()) {
                    problems.add(new Problem(
                            "schedulingSpecification",
                            cron,
                            "M2",
                            "can never fire: no month or year that it names has such a day"));
                }
            } catch (InvalidCronException e) {
                problems.add(new Problem("schedulingSpecification", cron, "M2", String.valueOf(e.getMessage())));
            }
        }
        for (String unknown : planner.unknownCalendars(job)) {
            problems.add(new Problem("calendars", unknown, "M2", "is not known; known are " + planner.calendarNames()));
        }
    }

    private static void commands(JobSpecification job, List<Problem> problems) {
        if (job.version() < 0) {
            problems.add(new Problem(
                    "version", "" + job.version(), "M3", "is negative; leave it out or name the stored one"));
        }
    }

    private static void context(JobSpecification job, List<Problem> problems) {
        ProcessingContext context = job.processingContext();
        if (context != null) {
            text("processingContext.processingEntity", context.processingEntity(), problems);
            text("processingContext.clientRequestId", context.clientRequestId(), problems);
            text("processingContext.unitOfWorkId", context.unitOfWorkId(), problems);
        }
    }

    private Optional<PlannedFire> firstFire(
            JobSpecification job, Instant now, @Nullable JobSpecification stored, List<Problem> problems) {
        Optional<PlannedFire> first;
        try {
            first = planner.first(job, now);
        } catch (IllegalArgumentException e) {
            problems.add(
                    new Problem("calendarPolicy", job.calendarPolicy().name(), "C4", String.valueOf(e.getMessage())));
            return Optional.empty();
        }
        boolean sameAsStored = stored != null && stored.hasSameSchedule(job);
        if (first.isPresent()) {
            moment(job, first.get().fireTime(), now, sameAsStored, problems);
        } else if (!sameAsStored) {
            problems.add(new Problem(
                    "schedulingSpecification",
                    job.schedulingSpecification(),
                    "M2",
                    job.calendars().isEmpty()
                            ? "never fires within its bounds"
                            : "does not fire within its bounds, " + FirePlanner.SEARCHED + ", and calendars "
                                    + job.calendars()));
        }
        return first;
    }

    private void moment(JobSpecification job, Instant fire, Instant now, boolean stored, List<Problem> problems) {
        if (fire.isBefore(now.minus(settings.pastAcceptanceWindow())) && !stored) {
            problems.add(new Problem(
                    "singleSchedule",
                    fire.toString(),
                    "M2",
                    "lies before now, " + now + ", by more than the accepted " + settings.pastAcceptanceWindow()));
        }
        if (job.endAt() != null && fire.isAfter(job.endAt())) {
            problems.add(new Problem("endAt", job.endAt().toString(), "M2", "lies before the first fire, " + fire));
        }
    }
}
