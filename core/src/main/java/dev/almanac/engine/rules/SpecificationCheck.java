package dev.almanac.engine.rules;

import dev.almanac.helper.CommandType;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.time.InvalidCronException;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Schedule;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings a specification into its stored form and collects all its problems (rules M1, M2). A pure
 * function of the specification, the registered types, the calendars and the time.
 */
public final class SpecificationCheck {
    private static final int LONGEST_KEY = 256;
    private static final int LARGEST_BODY = 1 << 20;
    private static final int LARGEST_SET = 100;

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    /** While one of these fields is wrong, fires cannot be computed. */
    private static final Set<String> TIME_FIELDS =
            Set.of("schedulingSpecification", "singleSchedule", "zoneId", "calendars", "startAt", "endAt", "spread");

    private final FirePlanner planner;
    private final SchedulerSettings settings;
    private final Defaults defaults;

    /**
     * Values for fields that a job does not set.
     *
     * @param zone of jobs that name none
     * @param requestor of jobs that name none; absent = each has to name one
     * @param calendar of recurring jobs that name none and do not opt out; absent = none
     */
    public record Defaults(
            ZoneId zone,
            @Nullable String requestor,
            @Nullable String calendar) {
        /**
         * The job on the default calendar, if that applies to it. Without one, what another application has set by its
         * own stays: a process that knows nothing of it leaves it alone.
         *
         * @param stored the stored contents if this is a change
         */
        public JobSpecification onCalendar(JobSpecification given, @Nullable JobSpecification stored) {
            boolean applies = given.isRecurring() && !given.ignoreDefaultCalendar();
            if (given.calendarsByDefault() && !applies) {
                return given.toBuilder().calendars(List.of()).build();
            }
            boolean kept = stored != null && stored.calendarsByDefault();
            if (!applies || !given.calendars().isEmpty() || calendar == null && !kept) {
                return given;
            }
            List<String> names =
                    calendar == null ? Objects.requireNonNull(stored).calendars() : List.of(calendar);
            return StoredFields.of(given.toBuilder().calendars(names))
                    .calendarsByDefault(true)
                    .build();
        }
    }

    public SpecificationCheck(FirePlanner planner, SchedulerSettings settings, Defaults defaults) {
        this.planner = planner;
        this.settings = settings;
        this.defaults = defaults;
    }

    /**
     * The specification to be stored.
     *
     * @param firstFire absent if an unchanged schedule has no fire left, or if it cannot be computed here
     * @param planner by which that was found
     */
    public record Accepted(
            JobSpecification specification, @Nullable PlannedFire firstFire, FirePlanner planner) {
        /** The same, of a job whose key is used once (rule S12). */
        public Accepted once() {
            return new Accepted(StoredFields.of(specification).once(true).build(), firstFire, planner);
        }

        /** The same, with the follow-ups of a job that was checked before. */
        public Accepted followedAs(JobSpecification checked) {
            JobSpecification whole = specification.toBuilder()
                    .onSuccess(checked.onSuccess())
                    .onFailure(checked.onFailure())
                    .build();
            return new Accepted(whole, firstFire, planner);
        }

        /** Whether it has calendars that it had before and that are not known here (rule S16). */
        boolean isUnplanned() {
            return !planner.unknownCalendars(specification).isEmpty();
        }
    }

    /**
     * @param given with its commands encoded, those that could be
     * @param known problems that were found before, such as a command that cannot be encoded
     * @param now the server's clock
     * @param stored the stored contents if this is a change: a schedule that is not changed may lie in the past
     * @throws InvalidJobException with every problem
     */
    public Accepted accept(
            JobSpecification given, List<Problem> known, Instant now, @Nullable JobSpecification stored) {
        List<Problem> problems = new ArrayList<>(given.problems());
        problems.addAll(known);
        moments(given, problems);
        JobSpecification job = whole(normalised(given, problems, now, stored), problems, now, stored);
        identity(job, problems);
        schedule(job, problems, stored == null ? List.of() : stored.calendars());
        BoundsCheck.check(job, problems);
        commands(job, problems);
        context(job, problems);
        boolean plannable = planner.unknownCalendars(job).isEmpty();
        Optional<PlannedFire> first =
                plannable && hasFires(problems) ? firstFire(job, now, stored, problems) : Optional.empty();
        if (!plannable && stored != null && hasFires(problems) && !stored.hasSameSchedule(job)) {
            withoutCalendars(job, now, problems);
        }
        if (!problems.isEmpty()) {
            throw new InvalidJobException(given.jobSpecificationKey(), problems);
        }
        return new Accepted(job, first.orElse(null), planner);
    }

    private JobSpecification whole(
            JobSpecification job, List<Problem> problems, Instant now, @Nullable JobSpecification stored) {
        boolean alone = FollowUps.all(job).isEmpty() || job.jobSpecificationKey() == null;
        return alone ? job : new FollowUpCheck(this, now, problems).checked(job, stored);
    }

    private JobSpecification normalised(
            JobSpecification given, List<Problem> problems, Instant now, @Nullable JobSpecification stored) {
        JobSpecificationBuilder job = defaults.onCalendar(given, stored).toBuilder();
        ZoneId jobZone = given.zoneId() == null ? defaults.zone() : given.zoneId();
        job.zoneId(jobZone);
        named(given, job);
        if (hasFires(problems)) {
            inMilliseconds(given, job, jobZone);
            begun(job, now, stored);
        }
        StoredFields.of(job)
                .followUpOf(stored == null ? null : stored.followUpOf().orElse(null))
                .once(stored != null && stored.once())
                .traceParent(stored == null ? null : stored.traceParent().orElse(null));
        JobSpecification plain = job.build();
        return hasFires(problems)
                ? Anchors.anchored(
                        plain,
                        given.startAt().map(SpecificationCheck::roundedUp).orElse(null),
                        now,
                        stored)
                : plain;
    }

    /**
     * A {@code startAt} that is not in the future is no bound and no part of the content (rule S15): what is stored of it
     * stays, so that declaring a job again changes nothing.
     */
    private static void begun(JobSpecificationBuilder job, Instant now, @Nullable JobSpecification stored) {
        Instant start = job.build().startAt().orElse(null);
        Instant before = stored == null ? null : stored.startAt().orElse(null);
        if (start == null || !start.isAfter(now)) {
            job.startAt(before == null || before.isAfter(now) ? null : before);
        }
    }

    private void named(JobSpecification given, JobSpecificationBuilder job) {
        if (given.jobRequestor() == null) {
            job.jobRequestor(defaults.requestor());
        }
        if (given.triggerIdentifier() == null) {
            job.triggerIdentifier(given.jobSpecificationKey());
        }
        // the default comes with the command, and goes with it
        String key = given.jobSpecificationKey();
        if (given.failureIdentifier().filter(own -> !own.equals(key)).isEmpty()) {
            job.failureIdentifier(given.failureCommand().isEmpty() ? null : key);
        }
    }

    private void inMilliseconds(JobSpecification given, JobSpecificationBuilder job, ZoneId jobZone) {
        bounded(given, job);
        given.singleScheduleLocal().ifPresent(local -> {
            LocalDateTime exact = local.truncatedTo(ChronoUnit.MILLIS);
            StoredFields.of(job)
                    .singleSchedule(FirePlanner.resolve(exact, jobZone, given.daylightSavingPolicy()), exact);
        });
    }

    private static void identity(JobSpecification job, List<Problem> problems) {
        text("jobSpecificationKey", job.jobSpecificationKey(), problems);
        text("jobRequestor", job.jobRequestor(), problems);
        if (!Objects.equals(job.triggerIdentifier(), job.jobSpecificationKey())) {
            text("triggerIdentifier", job.triggerIdentifier(), problems);
        }
        String failure = job.failureIdentifier().orElse(null);
        if (!Objects.equals(failure, job.jobSpecificationKey())) {
            optionalText("failureIdentifier", failure, problems);
        }
        optionalText("exclusiveGroup", job.exclusiveGroup().orElse(null), problems);
        optionalText("applicationTag", job.applicationTag().orElse(null), problems);
        if (job.tags().size() > LARGEST_SET) {
            problems.add(new Problem("tags", null, "M2", tooMany(job.tags().size())));
        } else {
            job.tags().forEach(tag -> text("tags", tag, problems));
        }
        if (job.failureCommand().isEmpty() && failure != null) {
            problems.add(new Problem("failureCommand", null, "M1", "is required for a failureIdentifier"));
        }
    }

    /** The problem of a set that is too large; its members are not checked, however many there are. */
    private static String tooMany(int entries) {
        return "has " + entries + " entries; at most " + LARGEST_SET + " are allowed";
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
            problems.add(new Problem(field, value, "M1", "contains a control character; use printable ones"));
        } else if (!PlainValues.isWhole(value)) {
            // a lone surrogate is replaced in UTF-8, so that two different keys could become equal
            problems.add(new Problem(field, value, "M1", "contains half of a surrogate pair, which is no character"));
        }
    }

    private void schedule(JobSpecification job, List<Problem> problems, List<String> before) {
        String cron = job.schedulingSpecification().orElse(null);
        boolean single =
                job.singleSchedule().isPresent() || job.singleScheduleLocal().isPresent();
        if ((cron != null) == single) {
            problems.add(new Problem(
                    "schedulingSpecification", cron, "M1", "or singleSchedule: exactly one of the two is required"));
        }
        if (cron != null) {
            try {
                if (!Schedule.parse(cron, job.cronDialect(), Instant.EPOCH).canFire()) {
                    problems.add(new Problem("schedulingSpecification", cron, "M2", Schedule.NEVER_FIRES));
                }
            } catch (InvalidCronException e) {
                problems.add(new Problem("schedulingSpecification", cron, "M2", String.valueOf(e.getMessage())));
            }
        }
        calendars(job, problems, before);
    }

    /** @param before of the stored job: an update checks only what it changes */
    private void calendars(JobSpecification job, List<Problem> problems, List<String> before) {
        if (job.calendars().size() > LARGEST_SET) {
            problems.add(
                    new Problem("calendars", null, "M2", tooMany(job.calendars().size())));
            return;
        }
        problems.addAll(unknownCalendars(job, before));
    }

    /** A deleted calendar is refused though the job had it: who deletes it counts on that. */
    List<Problem> unknownCalendars(JobSpecification job, List<String> before) {
        return planner.unknownCalendars(job).stream()
                .filter(unknown ->
                        !before.contains(unknown) || planner.whyUnknown(unknown) == FirePlanner.WhyUnknown.DELETED)
                .map(unknown -> new Problem(
                        "calendars", unknown, "M2", whyUnknown(unknown) + "; known are " + planner.calendarNames()))
                .toList();
    }

    private String whyUnknown(String calendar) {
        return switch (planner.whyUnknown(calendar)) {
            case NOT_STORED -> "is not known";
            case UNREADABLE -> "is stored and cannot be read here (ALM-009)";
            case DELETED -> "was deleted";
        };
    }

    private static void commands(JobSpecification job, List<Problem> problems) {
        if (job.triggerCommand() == null) {
            problems.add(new Problem("triggerCommand", null, "M1", "is required"));
        }
        size("triggerCommand", job.triggerCommand(), problems);
        size("failureCommand", job.failureCommand().orElse(null), problems);
        if (job.version() < 0) {
            problems.add(new Problem(
                    "version", "" + job.version(), "M3", "is negative; leave it out or name the stored one"));
        }
    }

    /** Finds a body that is too large. */
    public static void size(String field, @Nullable SchedulingCommand command, List<Problem> problems) {
        long size = command instanceof EncodedCommand encoded ? PlainValues.size(encoded.body()) : 0;
        if (size > LARGEST_BODY) {
            problems.add(new Problem(
                    field,
                    null,
                    "M2",
                    "has a body of " + size + " bytes, more than " + LARGEST_BODY
                            + "; store it elsewhere and schedule its id"));
        }
    }

    /**
     * The command in the form in which stores give it back. What is wrong with its type, version or body is added; such a
     * body is left out, so that no later check has to expect it.
     */
    public static EncodedCommand plain(String field, EncodedCommand given, List<Problem> problems) {
        String type = Objects.requireNonNullElse(given.type(), "");
        if (!CommandType.isName(type)) {
            problems.add(
                    new Problem(field, type, "M2", "must be 1 to 100 letters, digits, dots, dashes or underscores"));
        }
        if (given.version() < 1) {
            problems.add(new Problem(field + ".version", "" + given.version(), "M2", "is less than 1"));
        }
        return new EncodedCommand(type, given.version(), body(field + ".body", given.body(), problems));
    }

    private static Map<String, Object> body(String field, @Nullable Map<String, Object> given, List<Problem> problems) {
        if (given == null) {
            problems.add(new Problem(field, null, "M2", "is required"));
            return Map.of();
        }
        if (given.size() == 1 && given.values().iterator().next() instanceof SchedulingCommand) {
            // a store in memory may keep the command itself
            return given;
        }
        try {
            Map<String, Object> plain = PlainValues.copyOf(PlainValues.Kind.BODY, given);
            // what is plain already stays as the codec has made it
            return plain.equals(given) ? given : plain;
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(field, null, "M2", String.valueOf(e.getMessage())));
            return Map.of();
        }
    }

    private static void context(JobSpecification job, List<Problem> problems) {
        job.processingContext().ifPresent(context -> {
            text("processingContext.processingEntity", context.processingEntity(), problems);
            text("processingContext.clientRequestId", context.clientRequestId(), problems);
            text("processingContext.unitOfWorkId", context.unitOfWorkId(), problems);
        });
    }

    private Optional<PlannedFire> firstFire(
            JobSpecification job, Instant now, @Nullable JobSpecification stored, List<Problem> problems) {
        try {
            planner.requirePolicy(job);
        } catch (IllegalArgumentException e) {
            problems.add(policy(job, e));
            return Optional.empty();
        }
        // what a calendar of the service throws is no problem of the job
        Optional<PlannedFire> first = planner.first(job, now);
        boolean sameAsStored = stored != null && stored.hasSameSchedule(job);
        if (first.isPresent()) {
            moment(job, first.get(), now, sameAsStored, problems);
        } else if (!sameAsStored) {
            problems.add(noFire(job));
        }
        return first;
    }

    /** What is wrong with a schedule whichever calendars it has, since they are not known here (rule S16). */
    private void withoutCalendars(JobSpecification job, Instant now, List<Problem> problems) {
        if (!job.isRecurring()) {
            return;
        }
        try {
            if (!planner.firesWithoutCalendars(job, now)) {
                problems.add(new Problem(
                        "schedulingSpecification",
                        job.schedulingSpecification().orElse(null),
                        "M2",
                        "never fires again within its bounds, with its calendars or without"));
            }
        } catch (IllegalArgumentException e) {
            problems.add(policy(job, e));
        }
    }

    private static Problem policy(JobSpecification job, IllegalArgumentException refused) {
        return new Problem("calendarPolicy", job.calendarPolicy().name(), "C4", String.valueOf(refused.getMessage()));
    }

    private Problem noFire(JobSpecification job) {
        if (!job.isRecurring()) {
            return new Problem(
                    "singleSchedule",
                    job.singleSchedule().map(Instant::toString).orElse(null),
                    "C4",
                    "is excluded by calendars " + job.calendars() + ", and calendarPolicy " + job.calendarPolicy()
                            + " names no other moment; choose another moment or policy, such as NEXT_INCLUDED");
        }
        return new Problem(
                "schedulingSpecification",
                job.schedulingSpecification().orElse(null),
                "M2",
                job.calendars().isEmpty()
                        ? "never fires within its bounds"
                        : "does not fire within its bounds, " + FirePlanner.SEARCHED + ", and calendars "
                                + job.calendars());
    }

    private void moment(JobSpecification job, PlannedFire first, Instant now, boolean stored, List<Problem> problems) {
        Instant fire = first.fireTime();
        Instant nominal = first.nominalFireTime();
        if (fire.isBefore(now.minus(settings.pastAcceptanceWindow())) && !stored) {
            String moved = nominal == null
                    ? ""
                    : "is moved by calendarPolicy " + job.calendarPolicy() + " to " + fire + ", which ";
            problems.add(new Problem(
                    "singleSchedule",
                    (nominal == null ? fire : nominal).toString(),
                    nominal == null ? "M2" : "C4",
                    moved + "lies before now, " + now + ", by more than the accepted "
                            + settings.pastAcceptanceWindow()));
        }
        job.endAt()
                .filter(fire::isAfter)
                .ifPresent(end -> problems.add(
                        new Problem("endAt", end.toString(), "M2", "lies before the first fire, " + fire)));
    }

    /** Whether the fires can be computed, with these problems. */
    private static boolean hasFires(List<Problem> problems) {
        return problems.stream().noneMatch(problem -> TIME_FIELDS.contains(problem.field()));
    }

    /** Checks that moments are in the range that stores and arithmetic support. */
    private static void moments(JobSpecification given, List<Problem> problems) {
        Optional<Instant> local = given.singleScheduleLocal().map(at -> at.toInstant(ZoneOffset.UTC));
        within("singleSchedule", local.or(given::singleSchedule).orElse(null), problems);
        within("startAt", given.startAt().orElse(null), problems);
        within("endAt", given.endAt().orElse(null), problems);
    }

    private static void within(String field, @Nullable Instant value, List<Problem> problems) {
        if (value != null && (value.isBefore(EARLIEST) || value.isAfter(LATEST))) {
            problems.add(new Problem(
                    field, value.toString(), "M2", "lies outside of the years 1 to 9999; leave a bound out for none"));
        }
    }

    /**
     * Cuts bounds to stored precision, so that equal contents stay equal; a bound includes no fire that it excluded
     * before.
     */
    private static void bounded(JobSpecification given, JobSpecificationBuilder job) {
        given.singleSchedule().ifPresent(at -> job.singleSchedule(at.truncatedTo(ChronoUnit.MILLIS)));
        given.startAt().ifPresent(at -> job.startAt(roundedUp(at)));
        given.endAt().ifPresent(at -> job.endAt(at.truncatedTo(ChronoUnit.MILLIS)));
    }

    static Instant roundedUp(Instant start) {
        return start.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
    }
}
