package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.JobState;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StoredFields;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.NewJob;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A field that is added to a job is everywhere where the others are: each is changed by itself, found by reflection, and
 * the change has to arrive.
 */
class NewFieldTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.almanac");
    private static final Instant DUE = Instant.parse("2100-01-01T00:00:00Z");

    /** What stores add; a change of these is none of the contents. */
    private static final Set<String> STORED = Set.of(
            "version",
            "followUpOf",
            "once",
            "traceParent",
            "latestUpdate",
            "deleteTime",
            "anchor",
            "calendarsByDefault");

    /** How a specification is built, not what it says. */
    private static final Set<String> BUILDING = Set.of("problems", "now", "prioritySet", "retriesSet");

    private static final int MOST_FILES = 4;
    private static final Pattern MODULES = Pattern.compile("(?!bench|examples)[a-z-]+");
    private static final Pattern RULES = Pattern.compile("engine/.*|time/.*|store/(?!Needs).*|testkit/.*"
            + "|mongo/(?!SpecificationFields).*|web/read/Forecaster.java");

    /** Fields in more than 4 files, and what more is done with them than with others. */
    private static final Map<String, String> USES = Map.ofEntries(
            Map.entry("jobSpecificationKey", "names the job in every answer"),
            Map.entry("jobRequestor", "the command line fills it in"),
            Map.entry("applicationTag", "rights of viewers, declared jobs"),
            Map.entry("tags", "pauses of a tag"),
            Map.entry("triggerCommand", "decoded, listed by type, hidden from some viewers"),
            Map.entry("triggerIdentifier", "as its command; the command line fills it in"),
            Map.entry("failureCommand", "as triggerCommand"),
            Map.entry("failureIdentifier", "as its command"),
            Map.entry("schedulingSpecification", "read in five forms, listed, edited in the console"),
            Map.entry("cronDialect", "read and listed with it"),
            Map.entry("singleSchedule", "read in three forms, listed"),
            Map.entry("singleScheduleLocal", "compared with that of a stored job"),
            Map.entry("firstFire", "left out when a job becomes a one-off"),
            Map.entry("zoneId", "filled in, edited in the console, the zone of all moments shown"),
            Map.entry("spread", "the part of it that a key has"),
            Map.entry("maxFires", "bounds the preview of another schedule"),
            Map.entry("startAt", "read in the zone, an attribute of @AlmanacJob"),
            Map.entry("endAt", "read in the zone"),
            Map.entry("calendarPolicy", "what a job does, in words"),
            Map.entry("exclusiveGroup", "why a job waits, in words"),
            Map.entry("calendars", "checked against those stored, named by reasons of fires"),
            Map.entry("missedFirePolicy", "an attribute of @AlmanacJob"),
            Map.entry("retryPolicy", "an attribute of @AlmanacJob"),
            Map.entry("history", "the name of a command, too"),
            Map.entry("priority", "edited in the console, default by type"),
            Map.entry("onSuccess", "read as jobs of their own, linked"),
            Map.entry("onFailure", "as onSuccess"));

    private record Case(String field, JobSpecification before, JobSpecification after) {
        @Override
        public String toString() {
            return field;
        }
    }

    private static Stream<Case> cases() {
        List<JobSpecification> bases = List.of(recurring(), oneOff());
        return Arrays.stream(JobSpecificationBuilder.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !BUILDING.contains(field.getName()))
                .flatMap(field -> bases.stream()
                        .filter(base -> belongs(field.getName(), base))
                        .map(base -> new Case(field.getName(), base, changed(base, field))));
    }

    private static JobSpecification recurring() {
        return Specimens.full("job", DUE).job().specification();
    }

    private static JobSpecification oneOff() {
        return Specimens.local("job", DUE).job().specification();
    }

    /** The moments of a one-off make no sense in a recurrence, and the other way round. */
    private static boolean belongs(String field, JobSpecification base) {
        return field.startsWith("singleSchedule") ? !base.isRecurring() : base.isRecurring();
    }

    private static JobSpecification changed(JobSpecification base, Field field) {
        JobSpecificationBuilder builder = base.toBuilder();
        try {
            field.setAccessible(true);
            field.set(builder, other(field, field.get(builder)));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return builder.build();
    }

    private static Object other(Field field, Object value) {
        Class<?> type = field.getType();
        if (type.isEnum()) {
            List<?> words = List.of(type.getEnumConstants());
            return words.get((words.indexOf(value) + 1) % words.size());
        }
        return Stream.of(
                        String.class.equals(type) ? "changed" : null,
                        boolean.class.equals(type) ? !Boolean.TRUE.equals(value) : null,
                        int.class.equals(type) || Integer.class.equals(type) ? 7 : null,
                        long.class.equals(type) ? 77L : null,
                        Instant.class.equals(type) ? Instant.parse("2101-02-03T04:05:06Z") : null,
                        Duration.class.equals(type) ? Duration.ofSeconds(4_321) : null,
                        LocalDateTime.class.equals(type) ? LocalDateTime.parse("2101-02-03T04:05:06") : null,
                        field.getName().equals("calendars") ? List.of("changed") : null,
                        field.getName().startsWith("on") ? List.of(followUp()) : null,
                        Set.class.equals(type) ? Set.of("changed") : null,
                        ZoneId.class.equals(type) ? ZoneId.of("Asia/Tokyo") : null,
                        SchedulingCommand.class.equals(type) ? new EncodedCommand("changed", 2, Map.of()) : null,
                        RetryPolicy.class.equals(type) ? RetryPolicy.parse("R1/PT1S") : null,
                        MissedFirePolicy.class.equals(type) ? MissedFirePolicy.runAll(8) : null,
                        ProcessingContext.class.equals(type) ? new ProcessingContext("changed", "by", "test") : null,
                        Retention.class.equals(type)
                                ? new Retention(Duration.ofDays(9), Duration.ZERO, Duration.ZERO, Duration.ZERO)
                                : null)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "say here how another value of " + field.getName() + " looks, which is a " + type));
    }

    private static JobSpecification followUp() {
        return Specimens.specification("changed").singleSchedule(DUE).build();
    }

    private static Object value(String field, JobSpecification job) {
        try {
            return field.equals("anchor")
                    ? StoredFields.anchorOf(job)
                    : JobSpecification.class.getMethod(field).invoke(job);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("JobSpecification has no method " + field + "() for the builder's field", e);
        }
    }

    @Test
    @DisplayName("a field of a job is in the copy of the builder, and can be read")
    void copy() {
        assertThat(cases()).hasSizeGreaterThan(30).allSatisfy(field -> {
            Object expected = value(field.field, field.after);
            assertThat(expected).isNotEqualTo(value(field.field, field.before));
            assertThat(value(field.field, field.after.toBuilder().build())).isEqualTo(expected);
        });
    }

    @Test
    @DisplayName(
            "M3: a field of a job is in the comparison of contents and in the difference; what stores add is in neither")
    void contents() {
        assertThat(cases()).allSatisfy(field -> {
            boolean content = !STORED.contains(field.field);
            assertThat(field.after.equals(field.before)).isNotEqualTo(content);
            assertThat(field.after.hashCode() == field.before.hashCode()).isNotEqualTo(content);
            assertThat(field.after.changesSince(field.before))
                    .hasSize(content ? 1 : 0)
                    .allMatch(change -> change.field().equals(field.field));
        });
    }

    @Test
    @DisplayName("a field of a job is written into the document, and read from it")
    void document() {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        try (MongoClient client = MongoClients.create(server.uri())) {
            MongoJobStore store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
            store.open();
            assertThat(cases()).allSatisfy(field -> {
                String key = "jobSpecificationKey".equals(field.field) ? "changed" : "job-" + field.field;
                JobSpecification stored =
                        field.after.toBuilder().jobSpecificationKey(key).build();
                assertThat(store.insert(List.of(Specimens.of(Specimens.id(), stored, DUE))))
                        .containsExactly(true);
                JobSpecification read = store.find(key, FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .specification();
                assertThat(value(field.field, read)).isEqualTo(value(field.field, stored));
            });
            client.getDatabase(database).drop();
        }
    }

    @Test
    @DisplayName("a field of a job is shown by jobs show, for people and as JSON")
    void show() {
        assertThat(cases()).allSatisfy(field -> {
            assertThat(text(field.after)).isNotEqualTo(text(field.before));
            assertThat(json(field.after)).isNotEqualTo(json(field.before));
            assertThat(json(field.before) + json(field.after)).contains("\"" + field.field + "\":");
        });
    }

    @Test
    @DisplayName("jobs show has one line about each field of a job")
    void oneLine() {
        assertThat(cases()).allSatisfy(field -> {
            long added = linesOf(field.after, field.before);
            long removed = linesOf(field.before, field.after);
            assertThat(Math.max(added, removed)).isEqualTo(1);
        });
    }

    /** How many lines about a job are none about another. */
    private static long linesOf(JobSpecification job, JobSpecification other) {
        List<String> known = text(other).lines().toList();
        return text(job).lines().filter(line -> !known.contains(line)).count();
    }

    private static Job job(JobSpecification specification) {
        NewJob stored = Specimens.of("a".repeat(24), specification, DUE);
        return new Job(
                specification,
                stored.job().command().type(),
                JobState.SCHEDULED,
                stored.job().lastStatus(),
                DUE,
                null,
                null,
                null,
                null,
                Map.of(),
                null,
                List.of());
    }

    private static String json(JobSpecification specification) {
        return Json.text(Answers.job(job(specification), List.of(), Map.of()).map());
    }

    private static String text(JobSpecification specification) {
        StringWriter text = new StringWriter();
        PrintWriter writer = new PrintWriter(text);
        Output out = new Output(new ProcessEnvironment(writer, writer, Map.of(), false));
        new JobAnswer(out, ZoneOffset.UTC, Instant.EPOCH).print(job(specification), List.of(), Map.of());
        writer.flush();
        return text.toString();
    }

    @Test
    @DisplayName("a field of a job is in docs/job-specification.md")
    void page() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("almanac.root"), "docs", "job-specification.md"));
        assertThat(cases().map(Case::field)).allSatisfy(field -> {
            boolean inProse = STORED.contains(field)
                    || Set.of("singleScheduleLocal", "cronDialect").contains(field);
            assertThat(page).containsPattern((inProse ? "`" : "(?m)^\\|[^|]*`") + field + "[`(]");
        });
    }

    /**
     * Counted are the files that call its accessor, set it, or have its name as a literal or in a table: specification,
     * builder, the table of all fields, that of the command line. Left out are the rules for which fields exist, in the
     * engine, the planner, the forecast and the stores; and the testkit.
     */
    @Test
    @DisplayName("a field of a job touches at most 4 source files, beside those with the rule that it is for")
    void files() {
        Map<String, Set<String>> files = files(cases().map(Case::field)
                .filter(field -> !STORED.contains(field))
                .collect(Collectors.toSet()));
        assertThat(files).hasSizeGreaterThan(30).allSatisfy((field, of) -> {
            if (USES.containsKey(field)) {
                assertThat(of).as(field + " is no exception any more").hasSizeGreaterThan(MOST_FILES);
            } else {
                assertThat(of).as(field).hasSizeBetween(3, MOST_FILES);
            }
        });
        assertThat(files).containsKeys(USES.keySet().toArray(String[]::new));
    }

    private static Map<String, Set<String>> files(Set<String> fields) {
        Map<String, Set<String>> files = new HashMap<>();
        fields.forEach(field -> files.put(field, new TreeSet<>()));
        PRODUCT.forEach(type -> fields.stream()
                .filter(field -> uses(type, field))
                .forEach(field -> files.get(field).add(file(type))));
        Path root = Path.of(System.getProperty("almanac.root"));
        sources(root).forEach(file -> {
            String text = text(file);
            fields.stream()
                    .filter(field -> text.contains("\"" + field + "\"") || text.contains(" " + field + " | "))
                    .forEach(field -> files.get(field).add(below(file.toString())));
        });
        files.values().forEach(of -> of.removeIf(file -> RULES.matcher(file).matches()));
        return files;
    }

    /** Only folders of sources are looked into: tests of other modules change what was built meanwhile. */
    private static List<Path> sources(Path root) {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.toList()) {
                Path folder = module.resolve("src/main/java");
                if (MODULES.matcher(module.getFileName().toString()).matches() && Files.isDirectory(folder)) {
                    try (Stream<Path> walk = Files.walk(folder)) {
                        walk.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    private static boolean uses(JavaClass type, String field) {
        return type.getAccessesFromSelf().stream()
                .map(JavaAccess::getTarget)
                .anyMatch(target -> target.getName().equals(field)
                        && (target.getOwner().isEquivalentTo(JobSpecification.class)
                                || target.getOwner().isEquivalentTo(JobSpecificationBuilder.class)));
    }

    private static String file(JavaClass type) {
        return below(type.getPackageName().replace('.', '/') + "/"
                + type.getSource().orElseThrow().getFileName().orElseThrow());
    }

    private static String below(String path) {
        return path.replaceAll("^.*dev/almanac/", "");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
