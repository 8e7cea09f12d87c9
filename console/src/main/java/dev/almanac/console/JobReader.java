package dev.almanac.console;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.almanac.Scheduler;
import dev.almanac.helper.CommandCodec;
import dev.almanac.helper.CommandType;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.text.Redaction;
import dev.almanac.text.ShortDuration;
import dev.almanac.time.CronDialect;
import dev.almanac.time.Schedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a job from values by the names of {@link JobField}. The command is taken as type, version and body: no class of a
 * service is needed. Unreadable values are collected as problems while the rest is read, so that all problems are reported
 * together.
 */
final class JobReader {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final List<String> RECURRENCES = List.of("cron", "every", "every-after-end", "rrule");

    private final CommandCodec codec;
    private final Instant now;
    private final boolean fixed;
    private final Map<String, Object> values;
    private final JobField.Names names;
    private final List<Problem> problems = new ArrayList<>();
    private final JobSpecificationBuilder job;
    private final JobSpecification before;
    private final Supplier<ZoneId> outerZone;

    /**
     * @param job receives the values
     * @param fixed whether the job is one of a file, where moments that count from now are refused
     * @param outerZone the zone of wall times of a job that has none of its own
     */
    private JobReader(
            JobSpecificationBuilder job,
            Map<String, Object> values,
            CommandCodec codec,
            Instant now,
            boolean fixed,
            Supplier<ZoneId> outerZone) {
        this.outerZone = outerZone;
        this.job = job;
        this.before = job.build();
        this.values = values;
        this.names = fixed ? JobField.Names.ofFile(values) : JobField.Names.ofOptions(values);
        this.codec = codec;
        this.now = now;
        this.fixed = fixed;
    }

    /**
     * A job that was read.
     *
     * @param specification what could be read
     * @param problems what could not
     * @param names of its fields where it came from
     */
    record Given(JobSpecification specification, List<Problem> problems, JobField.Names names) {
        /** @throws InvalidInputException if something could not be read; {@code before} stands before that */
        JobSpecification orRefuse(String before) {
            InvalidInputException.when(!problems.isEmpty(), before + names.lines(problems));
            return specification;
        }
    }

    /** A body of any shape, for encoding in the form in which services store theirs. */
    private record Body(@JsonValue Map<String, Object> values) implements SchedulingCommand {}

    /**
     * Reads a job.
     *
     * @param values texts, lists of texts, and for a body a map or JSON text
     * @param codec gives bodies the form in which services store theirs
     * @param now from which {@code at = 15m} counts
     */
    static Given read(Map<String, Object> values, CommandCodec codec, Instant now) {
        return change(JobSpecification.builder(), values, codec, now);
    }

    /** As {@link #read}, for what is read again and again: moments that count from now are refused. */
    static Given readFixed(Map<String, Object> values, CommandCodec codec, Instant now) {
        return new JobReader(JobSpecification.builder(), values, codec, now, true, ZoneId::systemDefault).read();
    }

    /**
     * Sets what is given, and leaves the rest of the job as it is: wall times are read in its zone, and a body without
     * a type is one of its command.
     */
    static Given change(JobSpecificationBuilder job, Map<String, Object> values, CommandCodec codec, Instant now) {
        return new JobReader(job, values, codec, now, false, ZoneId::systemDefault).read();
    }

    /** All problems of a job (rule M1): unreadable values, and those for which a scheduler refuses it. Writes nothing. */
    static List<Problem> problems(Scheduler scheduler, Given given) {
        List<Problem> problems = new ArrayList<>(given.problems());
        Set<String> named =
                problems.stream().map(problem -> root(problem.field())).collect(Collectors.toSet());
        if (named.contains("singleSchedule")) {
            named.add("schedulingSpecification");
        }
        scheduler.check(given.specification()).stream()
                .filter(problem -> !named.contains(root(problem.field())))
                .forEach(problems::add);
        return inOrder(problems);
    }

    /** Problems of a job in the order in which {@link JobField} has its fields. */
    static List<Problem> inOrder(List<Problem> problems) {
        return problems.stream()
                .sorted(Comparator.comparingInt(problem -> JobField.of(problem).stream()
                        .findFirst()
                        .map(field -> JobField.names().indexOf(field.given()))
                        .orElse(Integer.MAX_VALUE)))
                .toList();
    }

    private static String root(String field) {
        return field.split("\\.", 2)[0];
    }

    private String named(String field) {
        return names.name().apply(JobField.of(field));
    }

    private boolean has(String field) {
        return values.get(field) != null;
    }

    private void wrong(String field, @Nullable Object value, String advice) {
        problems.add(new Problem(JobField.of(field).stored(), value == null ? null : value.toString(), "M1", advice));
    }

    private @Nullable String text(String field) {
        Object value = values.get(field);
        if (value instanceof Map<?, ?> || value instanceof List<?>) {
            wrong(field, value, "is not one word; write one value");
            return null;
        }
        return value == null ? null : value.toString();
    }

    private List<String> texts(String field) {
        if (values.get(field) instanceof List<?> items) {
            return items.stream().map(String::valueOf).toList();
        }
        String text = text(field);
        return text == null ? List.of() : List.of(text);
    }

    /** @param set throws IllegalArgumentException with the allowed forms */
    private void take(String field, Consumer<String> set) {
        String text = text(field);
        try {
            if (text != null) {
                set.accept(text);
            }
        } catch (IllegalArgumentException e) {
            wrong(field, text, String.valueOf(e.getMessage()));
        }
    }

    private Given read() {
        for (String field : List.of("at", "start", "end")) {
            Object at = values.get(field);
            if (fixed && at != null && Times.isRelative(at.toString())) {
                wrong(field, at, "counts from now, so it is different each time; write an absolute time");
            }
        }
        for (String name : JobField.names()) {
            var setter = JobField.of(name).setter();
            if (setter != null) {
                take(name, text -> setter.accept(job, text));
            }
        }
        if (has("tags")) {
            job.tags(new LinkedHashSet<>(texts("tags")));
        }
        if (has("calendars")) {
            job.calendars(texts("calendars"));
        }
        recurrence();
        moments();
        context();
        commands();
        return new Given(job.build(), List.copyOf(problems), names);
    }

    /** A cron expression keeps the dialect that the job has, if that is one of cron. */
    private void recurrence() {
        take("cron", job::schedulingSpecification);
        if (has("cron") && !before.cronDialect().isCron()) {
            job.cronDialect(null);
        }
        take("dialect", text -> job.cronDialect(Nearest.constant(CronDialect.class, text)));
        take("every", text -> job.every(steps(text, CronDialect.EVERY)));
        take("every-after-end", text -> job.everyAfterEnd(Duration.parse(steps(text, CronDialect.EVERY_AFTER_END))));
        take("rrule", text -> job.rrule(read(text, CronDialect.RRULE)));
        if (RECURRENCES.stream().anyMatch(this::has)) {
            job.singleSchedule((Instant) null);
        }
    }

    private void moments() {
        take("start", text -> job.startAt(moment(text)));
        take("end", text -> job.endAt(moment(text)));
        if (isSaidTwice() || !has("at")) {
            return;
        }
        if (before.isRecurring()) {
            job.schedulingSpecification(null).cronDialect(null);
            if (!has("first")) {
                job.firstFire(null);
            }
        }
        take("at", text -> {
            if (Times.isLocal(text)) {
                job.singleSchedule(local(text));
            } else {
                job.singleSchedule(moment(text));
            }
        });
    }

    /** Whether the job has more than one schedule, which is reported as a problem. */
    private boolean isSaidTwice() {
        List<String> whens = Stream.concat(RECURRENCES.stream(), Stream.of("at"))
                .filter(this::has)
                .toList();
        if (whens.size() > 1) {
            String last = whens.get(whens.size() - 1);
            wrong(last, text(last), "and " + named(whens.get(0)) + ": exactly one of the two is required");
        }
        return whens.size() > 1;
    }

    /** A step as it is stored: one that is written short as ISO-8601. */
    private static String steps(String text, CronDialect dialect) {
        String given = read(text.strip(), dialect);
        Duration brief = ShortDuration.read(given);
        return brief == null ? given : brief.toString();
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
            String zone = text("zone");
            return zone != null ? ZoneId.of(zone) : Objects.requireNonNullElseGet(before.zoneId(), outerZone);
        } catch (DateTimeException e) {
            return ZoneOffset.UTC;
        }
    }

    private void context() {
        if (has("entity") || has("client-request") || has("unit-of-work")) {
            ProcessingContext present = before.processingContext().orElseGet(() -> new ProcessingContext("", "", ""));
            job.processingContext(new ProcessingContext(
                    Objects.requireNonNullElse(text("entity"), present.processingEntity()),
                    Objects.requireNonNullElse(text("client-request"), present.clientRequestId()),
                    Objects.requireNonNullElse(text("unit-of-work"), present.unitOfWorkId())));
        }
    }

    private void commands() {
        command("", before.triggerCommand(), job::triggerCommand);
        command("failure-", before.failureCommand().orElse(null), job::failureCommand);
        if (has("on-success")) {
            job.onSuccess(followUps("on-success"));
        }
        if (has("on-failure")) {
            job.onFailure(followUps("on-failure"));
        }
    }

    private void command(String prefix, @Nullable SchedulingCommand present, Consumer<EncodedCommand> set) {
        String type = prefix + "type";
        String version = prefix + "type-version";
        String body = prefix + "body";
        String name = text(type);
        EncodedCommand base = present instanceof EncodedCommand encoded ? encoded : null;
        if (name != null) {
            if (!CommandType.isName(name)) {
                wrong(type, name, "must be 1 to 100 letters, digits, dots, dashes or underscores");
            }
            base = base == null
                    ? new EncodedCommand(name, 1, Map.of())
                    : new EncodedCommand(name, base.version(), base.body());
        } else if (!has(body) && !has(version)) {
            return;
        }
        if (base == null) {
            wrong(type, null, "is required beside " + named(body));
            return;
        }
        int[] number = {base.version()};
        take(version, text -> number[0] = JobField.number(text));
        if (number[0] < 1) {
            wrong(version, number[0], "is less than 1");
        }
        set.accept(new EncodedCommand(base.type(), number[0], has(body) ? body(body) : base.body()));
    }

    private Map<String, Object> body(String field) {
        Object given = Objects.requireNonNull(values.get(field));
        try {
            return codec.encode(new Body(object(given)));
        } catch (JacksonException e) {
            String reason = e.getOriginalMessage().split(" \\(", 2)[0];
            wrong(field, shown(given), "is no JSON: " + reason + "; write {\"name\": \"value\"}");
        } catch (IllegalArgumentException e) {
            wrong(field, shown(given), String.valueOf(e.getMessage()));
        }
        return Map.of();
    }

    /** What was given as contents, in which a password may stand. */
    private static String shown(Object given) {
        return Redaction.withoutCredentials(given.toString());
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
    private List<JobSpecification> followUps(String field) {
        Object raw = Objects.requireNonNull(values.get(field));
        List<JobSpecification> jobs = new ArrayList<>();
        for (Object item : raw instanceof List<?> list ? list : List.of(raw)) {
            try {
                jobs.add(followUp(field, jobs.size(), object(item)));
            } catch (JacksonException | IllegalArgumentException e) {
                wrong(
                        field,
                        shown(item),
                        "is no job; write {\"key\": \"{key}-done\", \"at\": \"now\", \"type\": \"mail\"}");
            }
        }
        return jobs;
    }

    private JobSpecification followUp(String field, int place, Map<String, Object> given) {
        Map<String, Object> rest = new LinkedHashMap<>(given);
        boolean atOnce = rest.remove("at", "now");
        for (String name : given.keySet()) {
            if (!JobField.names().contains(name)) {
                wrong(field, name, "is no field of a follow-up");
            }
        }
        Given read = new JobReader(JobSpecification.builder(), rest, codec, now, fixed, this::zone).read();
        String path = JobField.of(field).stored() + "[" + place + "].";
        read.problems()
                .forEach(problem -> problems.add(
                        new Problem(path + problem.field(), problem.value(), problem.rule(), problem.advice())));
        return atOnce ? read.specification().toBuilder().now().build() : read.specification();
    }
}
