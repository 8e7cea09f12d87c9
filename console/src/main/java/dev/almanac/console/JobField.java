package dev.almanac.console;

import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Problem;
import dev.almanac.model.SpecificationField;
import dev.almanac.model.StoredFields;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What can be set of a job, as an option of {@code jobs schedule} and in a file. Fields that are read together with others
 * have no setter here; {@link JobReader} reads them.
 *
 * @param given the name in a file; with two dashes, the option
 * @param stored the name in the document, for problems
 * @param label of the value in the help; empty = the option has none
 * @param help for the option
 */
record JobField(String given, String stored, String label, String help) {
    private static final String TABLE = """
            key | jobSpecificationKey | KEY | unique among live jobs
            requestor | jobRequestor | ID | the owner of the job
            application | applicationTag | TAG | the application that owns the job
            tags | tags | TAG | a word for queries and pauses; may be repeated
            cron | schedulingSpecification | EXPRESSION | when it fires, such as '0 30 2 * * ?'
            dialect | cronDialect | DIALECT | QUARTZ (default), UNIX or SPRING; of --cron
            every | schedulingSpecification | STEP | fixed rate: 90m or PT90M of elapsed time, or P1D, P2W, P1M, P1Y by the calendar
            every-after-end | schedulingSpecification | TIME | fixed delay after the end of each run
            rrule | schedulingSpecification | RULE | RFC 5545: 'DTSTART:20260131T090000 RRULE:FREQ=MONTHLY;BYDAY=-1FR', in local time
            first | firstFire | WHEN | now: once when it is created or its schedule changes, then by the schedule; SCHEDULE (default)
            spread | spread | TIME | each fire is delayed by a fraction of this, which depends on the key
            at | singleSchedule | TIME | the instant at which it fires: with offset, as wall time of the zone, or 15m from now
            type | triggerCommand | TYPE | registered name of the command's type
            type-version | triggerCommand.version | N | version of the body's layout (default: 1)
            body | triggerCommand.body | JSON | the command's fields as a JSON object (default: {})
            id | triggerIdentifier | TEXT | the id that is passed to the helper (default: the key)
            failure-type | failureCommand | TYPE | command for when a fire has failed for good
            failure-type-version | failureCommand.version | N | version of its body (default: 1)
            failure-body | failureCommand.body | JSON | its fields as a JSON object (default: {})
            failure-id | failureIdentifier | TEXT | the id that is passed with it
            zone | zoneId | ZONE | zone of cron and wall times (default: this machine's)
            clock-changes | daylightSavingPolicy | POLICY | RUN_ONCE (default), SKIP or WALL_ONCE
            calendars | calendars | NAME | an exclusion calendar; may be repeated
            ignore-default-calendar | ignoreDefaultCalendar | | the default calendar does not apply
            calendar-policy | calendarPolicy | POLICY | DROP (default), NEXT_INCLUDED, FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING
            threshold | lateExecutionThreshold | TIME | a later start is late, such as 30s or PT30S
            missed | missedFirePolicy | POLICY | SKIP, RUN_LATEST (default) or RUN_ALL(n)
            missed-fire-grace | missedFireGrace | TIME | a fire that is late by no more than this is not missed (default: 0)
            start-deadline | startDeadline | TIME | a fire starts no later than this after its time, or not at all (default: none; SKIP: 1m)
            retry | retryPolicy | POLICY | such as R5/PT5M or PT10M,PT17M,PT20M
            crash | crashPolicy | POLICY | RERUN (default) or FAIL
            timeout | executionTimeout | TIME | a longer run is interrupted
            priority | priority | N | 0 (most urgent) to 7 (default: 4)
            group | exclusiveGroup | NAME | one job of a group runs at a time, or as many as groups put allows
            start | startAt | TIME | no fire before this moment
            end | endAt | TIME | no fire after this moment
            max-fires | maxFires | N | ends after so many fires
            pause-after-failures | pauseAfterFailures | N | paused after so many fires in a row that failed for good
            history | history | WHICH | rows that are kept: ALL (default) or TROUBLE
            entity | processingContext.processingEntity | TEXT | processing context: the entity
            client-request | processingContext.clientRequestId | TEXT | processing context: the client's request
            unit-of-work | processingContext.unitOfWorkId | TEXT | processing context: the unit of work
            on-success | onSuccess | JSON | a job that follows each successful run, with the names of a file; may be repeated
            on-failure | onFailure | JSON | a job that follows when a fire has failed for good; may be repeated
            """;

    private static final Map<String, JobField> ALL = TABLE.lines()
            .map(line -> line.split(" *\\| *", 4))
            .map(cells -> new JobField(cells[0], cells[1], cells[2], cells[3]))
            .collect(Collectors.toMap(JobField::given, field -> field, (one, other) -> one, LinkedHashMap::new));

    private static final Set<String> LISTS = Set.of("tags", "calendars", "on-success", "on-failure");

    /** What is read together with other fields, by {@link JobReader}. */
    private static final Set<String> TOGETHER = Set.of("schedulingSpecification", "cronDialect");

    /** What makes a value of a type of a text. */
    private static final Map<Class<?>, Function<String, ?>> READERS = Map.of(
            String.class, text -> text,
            Duration.class, Times::duration,
            boolean.class, JobField::yes,
            int.class, JobField::number,
            Integer.class, JobField::number,
            MissedFirePolicy.class, JobField::missed);

    private static MissedFirePolicy missed(String text) {
        try {
            return MissedFirePolicy.parse(text.replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is none of SKIP, RUN_LATEST, RUN_ALL, RUN_ALL(1 to 10000)");
        }
    }

    static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is no whole number");
        }
    }

    private static boolean yes(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (!word.equals("true") && !word.equals("false")) {
            throw new IllegalArgumentException("is neither true nor false");
        }
        return word.equals("true");
    }

    /** Whether a field has jobs as its values, and no texts. */
    static boolean isOfJobs(String given) {
        return given.equals("on-success") || given.equals("on-failure");
    }

    /** The names in a file, in the order of the help. */
    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    static JobField of(String given) {
        return Objects.requireNonNull(ALL.get(given), given);
    }

    /** Sets the field to a text; absent if it is read together with others. It throws IllegalArgumentException with the allowed forms. */
    @Nullable
    BiConsumer<JobSpecificationBuilder, String> setter() {
        if (stored.contains(".") || TOGETHER.contains(stored)) {
            return null;
        }
        SpecificationField field = SpecificationField.of(stored);
        Class<?> type = field.type();
        if (type == ZoneId.class) {
            return JobSpecificationBuilder::zoneId;
        } else if (type == RetryPolicy.class) {
            return JobSpecificationBuilder::retryPolicy;
        }
        Function<String, ?> read = type.isEnum() ? text -> Nearest.constant(type, text) : READERS.get(type);
        return read == null ? null : (job, text) -> StoredFields.of(job).set(field, read.apply(text));
    }

    /** Of which a field of the document is made, in the order of the help: several for the schedule, none for what cannot be given. */
    static List<JobField> of(Problem problem) {
        return ALL.values().stream()
                .filter(field -> field.stored.equals(problem.field()))
                .toList();
    }

    /**
     * How a problem of a job is said where the job came from.
     *
     * @param name of a field there
     * @param values what was given there, by the names in a file
     * @param whens all that could say when the job fires
     */
    record Names(Function<JobField, String> name, Map<String, Object> values, String whens) {
        private static final Pattern STORED = Pattern.compile("(?<!['\\w])("
                + ALL.values().stream()
                        .map(JobField::stored)
                        .filter(stored -> stored.matches("[a-z]+[A-Z]\\w*"))
                        .distinct()
                        .collect(Collectors.joining("|"))
                + ")(?!['\\w])");

        static Names ofOptions(Map<String, Object> values) {
            return new Names(JobField::option, values, "--cron, --every, --every-after-end, --rrule, --at or --now");
        }

        static Names ofFile(Map<String, Object> values) {
            return new Names(JobField::given, values, "cron, every, every-after-end, rrule or at");
        }

        /** The field that was given, of several the one with that value; as in the document if it cannot be told. */
        private String of(Problem problem) {
            List<JobField> fields = JobField.of(problem);
            List<JobField> given = fields.stream()
                    .filter(field -> fields.size() == 1 || values.get(field.given) != null)
                    .toList();
            return given.stream()
                    .filter(field -> Printable.value(String.valueOf(values.get(field.given)))
                            .equals(problem.value()))
                    .findFirst()
                    .or(() -> given.stream().findFirst())
                    .map(name)
                    .orElse(problem.field());
        }

        /** One line. What is wrong with a follow-up is said as in the document, with the way to it. */
        String line(Problem problem) {
            if (problem.field().equals("schedulingSpecification") && problem.value() == null) {
                return whens + ": exactly one is required";
            }
            String value = problem.value() == null ? "" : " '" + problem.value() + "'";
            String advice = problem.advice();
            if (!JobField.of(problem).isEmpty()) {
                advice = STORED.matcher(advice)
                        .replaceAll(word ->
                                Matcher.quoteReplacement(of(new Problem(word.group(), null, problem.rule(), ""))));
            }
            return of(problem) + value + " " + advice;
        }

        /** One line for each of the problems. */
        String lines(List<Problem> problems) {
            return problems.stream().map(problem -> "\n  " + line(problem)).collect(Collectors.joining());
        }
    }

    /** The option; lists are named in the plural in a file. */
    String option() {
        return "--"
                + (given.equals("tags") || given.equals("calendars") ? given.substring(0, given.length() - 1) : given);
    }

    /** The options, for a mixin; all but flags are texts, so that all problems can be reported together. */
    static CommandSpec options() {
        CommandSpec spec = CommandSpec.create();
        for (JobField field : ALL.values()) {
            OptionSpec.Builder option = OptionSpec.builder(field.option()).description(field.help);
            if (field.label.isEmpty()) {
                option.type(boolean.class);
            } else if (LISTS.contains(field.given)) {
                option.paramLabel(field.label).type(List.class).auxiliaryTypes(String.class);
            } else {
                option.paramLabel(field.label).type(String.class);
            }
            spec.addOption(option.build());
        }
        return spec;
    }

    /** What was given by these options, by the names in a file. */
    static Map<String, Object> values(CommandSpec options) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (JobField field : ALL.values()) {
            Object value = options.findOption(field.option()).getValue();
            if (value != null && !Boolean.FALSE.equals(value)) {
                values.put(field.given, value);
            }
        }
        return values;
    }
}
