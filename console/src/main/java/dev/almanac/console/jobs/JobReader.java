package dev.almanac.console.jobs;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.almanac.Scheduler;
import dev.almanac.console.terminal.Times;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.time.CronDialect;
import dev.almanac.time.Schedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a job from values by name. The command is taken as type, version and body: no class of a service is needed.
 * Unreadable values are collected as problems while the rest is read, so that all problems are reported together.
 */
public final class JobReader {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final List<JobField> RECURRENCES =
            List.of(JobField.CRON, JobField.EVERY, JobField.EVERY_AFTER_END, JobField.RRULE);

    private final CommandCodec codec;
    private final Instant now;
    private final boolean fixed;
    private final FieldValues values;
    private final JobSpecificationBuilder job;
    private final JobSpecification before;

    /**
     * @param job receives the values
     * @param fixed whether moments that count from now are refused
     */
    private JobReader(
            JobSpecificationBuilder job, Map<String, Object> values, CommandCodec codec, Instant now, boolean fixed) {
        this.job = job;
        this.before = job.build();
        this.values = new FieldValues(values);
        this.codec = codec;
        this.now = now;
        this.fixed = fixed;
    }

    /**
     * A job that was read.
     *
     * @param specification what could be read
     * @param problems what could not
     */
    public record Given(JobSpecification specification, List<Problem> problems) {}

    /** A body of any shape, for encoding in the form in which services store theirs. */
    private record Body(@JsonValue Map<String, Object> values) implements SchedulingCommand {}

    /** The names that can be read. */
    public static List<String> names() {
        return JobField.names();
    }

    /**
     * Reads a job.
     *
     * @param values texts, lists of texts, and for a body a map or JSON text; by the names of {@link #names()}
     * @param codec gives bodies the form in which services store theirs
     * @param now from which {@code at = 15m} counts
     */
    public static Given read(Map<String, Object> values, CommandCodec codec, Instant now) {
        return change(JobSpecification.builder(), values, codec, now);
    }

    /** As {@link #read}, for what is read again and again: moments that count from now are refused. */
    public static Given readFixed(Map<String, Object> values, CommandCodec codec, Instant now) {
        return new JobReader(JobSpecification.builder(), values, codec, now, true).read();
    }

    /**
     * Sets what is given, and leaves the rest of the job as it is: wall times are read in its zone, and a body without
     * a type is one of its command.
     */
    static Given change(JobSpecificationBuilder job, Map<String, Object> values, CommandCodec codec, Instant now) {
        return new JobReader(job, values, codec, now, false).read();
    }

    private void refuseRelative() {
        for (JobField field : List.of(JobField.AT, JobField.START, JobField.END)) {
            String text = String.valueOf(values.raw(field));
            if (values.has(field) && Times.isRelative(text)) {
                values.wrong(field, text, "counts from now, so it is different each time; write an absolute time");
            }
        }
    }

    /** All problems of a job: unreadable values, and those for which a scheduler refuses it. Writes nothing. */
    public static List<Problem> problems(Scheduler scheduler, Given given) {
        return ProblemText.all(scheduler, given);
    }

    /** A problem with the names of fields in files. */
    public static String line(Problem problem) {
        return ProblemText.line(problem, JobField::given);
    }

    private Given read() {
        if (fixed) {
            refuseRelative();
        }
        for (JobField field : JobField.values()) {
            field.set(job, values);
        }
        if (values.has(JobField.TAGS)) {
            job.tags(new LinkedHashSet<>(values.texts(JobField.TAGS)));
        }
        if (values.has(JobField.CALENDARS)) {
            job.calendars(values.texts(JobField.CALENDARS));
        }
        recurrence();
        moments();
        context();
        commands();
        return new Given(job.build(), List.copyOf(values.problems()));
    }

    /** A cron expression keeps the dialect that the job has, if that is one of cron. */
    private void recurrence() {
        values.take(JobField.CRON, job::schedulingSpecification);
        if (values.has(JobField.CRON) && !before.cronDialect().isCron()) {
            job.cronDialect(null);
        }
        values.take(JobField.DIALECT, FieldValues.word(CronDialect.class), job::cronDialect);
        values.take(JobField.EVERY, text -> steps(text, CronDialect.EVERY), job::every);
        values.take(
                JobField.EVERY_AFTER_END,
                text -> steps(text, CronDialect.EVERY_AFTER_END),
                step -> job.everyAfterEnd(Duration.parse(step)));
        values.take(JobField.RRULE, text -> read(text, CronDialect.RRULE), job::rrule);
        if (RECURRENCES.stream().anyMatch(values::has)) {
            job.singleSchedule((Instant) null);
        }
    }

    private void moments() {
        values.take(JobField.START, this::moment, job::startAt);
        values.take(JobField.END, this::moment, job::endAt);
        if (isSaidTwice() || !values.has(JobField.AT)) {
            return;
        }
        if (before.isRecurring()) {
            job.schedulingSpecification(null).cronDialect(null);
            if (!values.has(JobField.FIRST)) {
                job.firstFire(null);
            }
        }
        String at = values.text(JobField.AT);
        if (at != null && Times.isLocal(at)) {
            values.take(JobField.AT, JobReader::local, (LocalDateTime local) -> job.singleSchedule(local));
        } else if (at != null) {
            values.take(JobField.AT, this::moment, (Instant moment) -> job.singleSchedule(moment));
        }
    }

    /** Whether the job has more than one schedule, which is reported as a problem. */
    private boolean isSaidTwice() {
        List<JobField> whens = Stream.concat(RECURRENCES.stream(), Stream.of(JobField.AT))
                .filter(values::has)
                .toList();
        if (whens.size() > 1) {
            JobField last = whens.get(whens.size() - 1);
            String other = whens.get(0) == JobField.CRON
                    ? "a cron expression"
                    : whens.get(0).given();
            values.wrong(last, values.text(last), "and " + other + ": exactly one of the two is required");
        }
        return whens.size() > 1;
    }

    /** A step as it is stored; hours, minutes and seconds may be written short. */
    private static String steps(String text, CronDialect dialect) {
        String given = text.strip();
        boolean isShort = given.matches("[0-9]{1,9}(s|m|h)");
        return read(isShort ? Times.duration(given).toString() : given, dialect);
    }

    private static String read(String text, CronDialect dialect) {
        Schedule.parse(text, dialect, Instant.EPOCH);
        return text;
    }

    private static LocalDateTime local(String text) {
        try {
            return LocalDateTime.parse(text.strip().replace(' ', 'T'));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("is no date and time; write 2026-05-01T12:00");
        }
    }

    private Instant moment(String text) {
        return Times.moment(text, zone(), now);
    }

    /** The zone of wall times; an unknown zone is reported where it is read. */
    private ZoneId zone() {
        try {
            String zone = values.text(JobField.ZONE);
            return zone != null
                    ? ZoneId.of(zone)
                    : Objects.requireNonNullElseGet(before.zoneId(), ZoneId::systemDefault);
        } catch (DateTimeException e) {
            return ZoneOffset.UTC;
        }
    }

    private void context() {
        if (values.has(JobField.ENTITY) || values.has(JobField.CLIENT_REQUEST) || values.has(JobField.UNIT_OF_WORK)) {
            ProcessingContext present =
                    Objects.requireNonNullElse(before.processingContext(), new ProcessingContext("", "", ""));
            job.processingContext(new ProcessingContext(
                    textOr(JobField.ENTITY, present.processingEntity()),
                    textOr(JobField.CLIENT_REQUEST, present.clientRequestId()),
                    textOr(JobField.UNIT_OF_WORK, present.unitOfWorkId())));
        }
    }

    private String textOr(JobField field, String present) {
        return Objects.requireNonNullElse(values.text(field), present);
    }

    private void commands() {
        EncodedCommand command = command(JobField.TYPE, JobField.TYPE_VERSION, JobField.BODY, before.triggerCommand());
        if (command != null) {
            job.triggerCommand(command);
        }
        EncodedCommand failure = command(
                JobField.FAILURE_TYPE, JobField.FAILURE_VERSION, JobField.FAILURE_BODY, before.failureCommand());
        if (failure != null) {
            job.failureCommand(failure);
        }
        if (values.has(JobField.ON_SUCCESS)) {
            job.onSuccess(followUps(JobField.ON_SUCCESS));
        }
        if (values.has(JobField.ON_FAILURE)) {
            job.onFailure(followUps(JobField.ON_FAILURE));
        }
    }

    private @Nullable EncodedCommand command(
            JobField type, JobField version, JobField body, @Nullable SchedulingCommand present) {
        String name = values.text(type);
        if (name != null) {
            if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
                values.wrong(type, name, "must be 1 to 100 letters, digits, dots, dashes or underscores");
            }
            return command(version, body, new EncodedCommand(name, 1, Map.of()));
        }
        if (!values.has(body) && !values.has(version)) {
            return null;
        }
        if (present instanceof EncodedCommand encoded) {
            return command(version, body, encoded);
        }
        values.wrong(type, null, "is required beside " + body.given());
        return null;
    }

    private EncodedCommand command(JobField version, JobField body, EncodedCommand present) {
        int[] number = {present.version()};
        values.take(version, FieldValues::number, (Integer given) -> number[0] = given);
        if (number[0] < 1) {
            values.wrong(version, number[0], "is less than 1");
        }
        return new EncodedCommand(present.type(), number[0], values.has(body) ? body(body) : present.body());
    }

    private Map<String, Object> body(JobField field) {
        Object given = values.raw(field);
        try {
            return codec.encode(new Body(given == null ? Map.of() : object(given)));
        } catch (JacksonException e) {
            String reason = e.getOriginalMessage().split(" \\(", 2)[0];
            values.wrong(field, given, "is no JSON: " + reason + "; write {\"name\": \"value\"}");
        } catch (IllegalArgumentException e) {
            values.wrong(field, given, String.valueOf(e.getMessage()));
        }
        return Map.of();
    }

    private static Map<String, Object> object(Object given) {
        Object read = given instanceof String text ? MAPPER.readValue(text, Object.class) : given;
        if (!(read instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("is no object; write {\"name\": \"value\"}");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((name, value) -> object.put(String.valueOf(name), value));
        return object;
    }

    /** Jobs as objects, or as JSON texts. */
    private JobSpecification[] followUps(JobField field) {
        Object raw = values.raw(field);
        List<?> given = raw == null ? List.of() : raw instanceof List<?> list ? list : List.of(raw);
        List<JobSpecification> jobs = new ArrayList<>();
        for (Object item : given) {
            try {
                jobs.add(followUp(field, jobs.size(), object(item)));
            } catch (JacksonException | IllegalArgumentException e) {
                values.wrong(
                        field, item, "is no job; write {\"key\": \"{key}-done\", \"at\": \"now\", \"type\": \"mail\"}");
            }
        }
        return jobs.toArray(JobSpecification[]::new);
    }

    private JobSpecification followUp(JobField field, int place, Map<String, Object> given) {
        Map<String, Object> rest = new LinkedHashMap<>(given);
        boolean at = "now".equals(rest.get(JobField.AT.given())) && rest.remove(JobField.AT.given()) != null;
        for (String name : given.keySet()) {
            if (!names().contains(name)) {
                values.wrong(field, name, "is no field of a follow-up");
            }
        }
        Given read = new JobReader(JobSpecification.builder(), rest, codec, now, fixed).read();
        String path = field.stored() + "[" + place + "].";
        read.problems()
                .forEach(problem -> values.problems()
                        .add(new Problem(path + problem.field(), problem.value(), problem.rule(), problem.advice())));
        return at ? read.specification().toBuilder().now().build() : read.specification();
    }
}
