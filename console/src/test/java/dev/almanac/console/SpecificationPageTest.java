package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.Target2;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Problem;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.JacksonCommandCodec;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.time.CalendarPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tables of docs/job-specification.md, against the model, its Javadoc, and the reader of files. */
class SpecificationPageTest {
    private static final Path ROOT = Path.of(System.getProperty("almanac.root"));
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private record Row(
            List<String> fields,
            List<String> options,
            String type,
            String defaultValue,
            List<String> examples,
            String limits) {}

    private static final String KEY = "1 to 256 characters";

    /** The words of the column type, with the type in the model. */
    private static final Map<String, Class<?>> TYPES = Map.ofEntries(
            Map.entry("zone", ZoneId.class),
            Map.entry("word", Enum.class),
            Map.entry("names", List.class),
            Map.entry("words", Set.class),
            Map.entry("jobs", List.class),
            Map.entry("true or false", boolean.class),
            Map.entry("instant", Instant.class),
            Map.entry("number", Number.class),
            Map.entry("duration", Duration.class),
            Map.entry("four durations", Retention.class),
            Map.entry("text", String.class),
            Map.entry("record; JSON object", SchedulingCommand.class),
            Map.entry("three texts", ProcessingContext.class));

    /** Of each field, the values that its limits name: the last that is accepted, and the first that is not. */
    private static final Map<String, List<List<String>>> LIMITS = Map.ofEntries(
            Map.entry("1 or more", List.of(List.of("1"), List.of("0"))),
            Map.entry("up to a day", List.of(List.of("PT24H"), List.of("PT24H0.001S"))),
            Map.entry("0 or more", List.of(List.of("0s"), List.of("PT-0.001S"))),
            Map.entry(KEY, List.of(List.of("k".repeat(256)), List.of("k".repeat(257), "k\u0007"))),
            Map.entry("at most 100", List.of(List.of(names(100)), List.of(names(101)))),
            Map.entry("0 (most urgent) to 7", List.of(List.of("0", "7"), List.of("-1", "8"))),
            Map.entry("0 to 100 years", List.of(List.of("0s", "36525d"), List.of("PT-1S", "36526d"))),
            Map.entry("more than 0", List.of(List.of("PT0.001S", "36525d"), List.of("0s", "36526d"))),
            Map.entry("up to 1 000 retries", List.of(List.of("R1000/PT1S"), List.of("R1001/PT1S"))));

    private static String names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n" + i).collect(Collectors.joining(",", "[", "]"));
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/job-specification.md")).stream()
                .filter(line -> line.matches("\\| `\\w+`.*") && line.split("\\|").length == 8)
                .map(line -> line.split("\\|"))
                .map(cells -> new Row(
                        code(cells[1]),
                        options(cells[2]),
                        cells[3].strip(),
                        plain(cells[4]),
                        code(cells[5]),
                        cells[6].strip()))
                .toList();
    }

    private static List<String> code(String cell) {
        return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
    }

    private static List<String> options(String cell) {
        return code(cell).stream().filter(option -> !option.startsWith("--")).toList();
    }

    /** What the default is, without links and remarks. */
    private static String plain(String cell) {
        return cell.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .replaceAll("[:;].*", "")
                .strip();
    }

    private static Object value(JobSpecification job, String field) {
        try {
            Object value = JobSpecification.class.getMethod(field).invoke(job);
            return value instanceof Optional<?> optional ? optional.orElse(null) : value;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no field " + field, e);
        }
    }

    @Test
    @DisplayName("the default of each field is the model's")
    void defaults() throws IOException {
        JobSpecification empty = JobSpecification.builder().build();
        assertThat(rows())
                .hasSizeGreaterThan(25)
                .allSatisfy(row -> assertThat(row.fields).allSatisfy(field -> {
                    Object value = value(empty, field);
                    if (value == null) {
                        assertThat(row.defaultValue).matches("none|required|the .+");
                    } else {
                        assertThat(row.defaultValue).isEqualTo(text(value));
                    }
                }));
    }

    private static String text(Object value) {
        boolean none = value.equals(RetryPolicy.none()) || value instanceof Collection<?> all && all.isEmpty();
        return none ? "none" : value.toString();
    }

    @Test
    @DisplayName("the Javadoc of each builder step says the default")
    void javadoc() throws IOException {
        String source = Files.readString(
                        ROOT.resolve("core/src/main/java/dev/almanac/model/JobSpecificationBuilder.java"))
                .replaceAll("\\n *\\* *", " ");
        assertThat(rows())
                .allSatisfy(row -> assertThat(row.fields).allSatisfy(field -> {
                    Matcher step = Pattern.compile("public JobSpecificationBuilder " + field + "\\(")
                            .matcher(source);
                    assertThat(step.find()).as(field).isTrue();
                    String head = source.substring(0, step.start());
                    String said = row.defaultValue.matches("required|none")
                            ? row.defaultValue
                            : "default " + row.defaultValue;
                    assertThat(head.substring(head.lastIndexOf("/**"))).contains(said);
                }));
    }

    @Test
    @DisplayName("the examples of all fields make one job that is accepted, and each is another value than the default")
    void examples() throws IOException {
        Map<String, Object> values = new HashMap<>(Map.of("cron", "0 30 2 * * ?"));
        List<String> fields = new ArrayList<>();
        for (Row row : rows()) {
            assertThat(row.examples).as("examples of %s", row.fields).hasSameSizeAs(row.options);
            fields.addAll(row.options.isEmpty() ? List.of() : row.fields);
            for (int i = 0; i < row.options.size(); i++) {
                values.put(row.options.get(i), hocon(row.examples.get(i)));
            }
        }
        JobReader.Given given =
                JobReader.read(values, new JacksonCommandCodec(), Instant.parse("2026-01-01T00:00:00Z"));
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryJobStore(TimeSource.system()))
                .calendar("TARGET2", Target2.calendar())
                .build()) {
            assertThat(JobReader.problems(scheduler, given)).isEmpty();
        }
        JobSpecification empty = JobSpecification.builder().build();
        assertThat(fields)
                .allSatisfy(
                        field -> assertThat(value(given.specification(), field)).isNotEqualTo(value(empty, field)));
    }

    @Test
    @DisplayName("17.5: the type of each field is the model's")
    void types() throws IOException {
        assertThat(rows())
                .allSatisfy(row -> assertThat(row.fields).allSatisfy(field -> {
                    Class<?> expected = TYPES.get(row.type);
                    assertThat(expected).as("type '%s' of %s", row.type, field).isNotNull();
                    Class<?> found = JobSpecificationBuilder.class
                            .getDeclaredField(field)
                            .getType();
                    Class<?> whole = found == int.class ? Integer.class : found;
                    boolean word = expected == Enum.class && (whole.isEnum() || whole == MissedFirePolicy.class);
                    boolean policy = whole == RetryPolicy.class && expected == String.class;
                    assertThat(word || policy || expected.isAssignableFrom(whole))
                            .as("%s is a %s", field, whole)
                            .isTrue();
                }));
    }

    @Test
    @DisplayName("17.5: the limits of each field are those of the code: the last value is accepted, the next is not")
    void limits() throws IOException {
        SchedulerBuilder builder = Scheduler.builder().store(new InMemoryJobStore(TimeSource.system()));
        IntStream.range(0, 101).forEach(i -> builder.calendar("n" + i, Target2.calendar()));
        List<String> checked = new ArrayList<>();
        try (Scheduler scheduler = builder.build()) {
            for (Row row : rows()) {
                List<List<String>> limits =
                        LIMITS.get(row.limits.replaceAll("[;,] .*", "").replace("as the key", KEY));
                if (limits == null || row.options.size() != 1) {
                    continue;
                }
                checked.addAll(row.fields);
                limits.get(0)
                        .forEach(value -> assertThat(problems(scheduler, row.options.get(0), value))
                                .as("%s = %s", row.options, value)
                                .isEmpty());
                limits.get(1)
                        .forEach(value -> assertThat(problems(scheduler, row.options.get(0), value))
                                .as("%s = %s", row.options, value)
                                .isNotEmpty());
            }
        }
        assertThat(checked).hasSizeGreaterThan(15);
    }

    private static List<Problem> problems(Scheduler scheduler, String option, String value) {
        Map<String, Object> values = new HashMap<>(Map.of("key", "k", "requestor", "r", "type", "t", "id", "i"));
        values.putAll(Map.of("cron", "0 30 2 * * ?", "failure-type", "t", "failure-id", "i"));
        values.put(option, hocon(value));
        JobReader.Given given =
                JobReader.read(values, new JacksonCommandCodec(), Instant.parse("2026-01-01T00:00:00Z"));
        return JobReader.problems(scheduler, given);
    }

    @Test
    @DisplayName("17.5: the words of each field are those of the model")
    void words() throws IOException {
        assertThat(rows())
                .filteredOn(row -> row.type.equals("word") && !row.limits.matches("six .*|.*RUN_ALL.*"))
                .hasSizeGreaterThan(2)
                .allSatisfy(row -> assertThat(row.limits.split(", "))
                        .containsExactlyInAnyOrder(Arrays.stream(JobSpecification.class
                                        .getMethod(row.fields.get(0))
                                        .getReturnType()
                                        .getEnumConstants())
                                .map(Object::toString)
                                .toArray(String[]::new)));
        assertThat(CalendarPolicy.values()).as("six policies").hasSize(6);
    }

    @Test
    @DisplayName("the page has each option of a job and each name in a file, and no other, except --now")
    void names() throws IOException {
        Set<String> known = new TreeSet<>(Set.of("--now"));
        for (String name : JobField.names()) {
            String option = JobField.of(name).option();
            known.add(name);
            known.addAll(option.equals("--" + name) ? Set.of() : Set.of(option));
        }
        Set<String> onPage = Files.readAllLines(ROOT.resolve("docs/job-specification.md")).stream()
                .takeWhile(line -> !line.startsWith("## At most n together"))
                .filter(line -> line.startsWith("| `"))
                .flatMap(line -> code(line.split("\\|")[2]).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(onPage).isEqualTo(known);
    }

    @Test
    @DisplayName("the help of an option says the default of its field, and each of its words")
    void help() throws IOException {
        List<Row> words = rows().stream().filter(row -> row.type.equals("word")).toList();
        assertThat(words).hasSizeGreaterThan(5).allSatisfy(row -> {
            assertThat(help(row)).contains(row.defaultValue + " (default)");
            Class<?> type = JobSpecification.class.getMethod(row.fields.get(0)).getReturnType();
            for (Object word : type.isEnum() ? type.getEnumConstants() : new Object[0]) {
                assertThat(help(row)).containsIgnoringCase(word.toString());
            }
        });
        assertThat(rows())
                .filteredOn(row -> row.type.equals("number") && !row.defaultValue.equals("none"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(help(row)).contains("(default: " + row.defaultValue + ")"));
    }

    private static String help(Row row) {
        return JobField.of(row.options.get(0)).help();
    }

    private static Object hocon(String text) {
        boolean structured = text.startsWith("[") || text.startsWith("{");
        return structured ? ConfigFactory.parseString("value = " + text).getAnyRef("value") : text;
    }
}
