package dev.almanac.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.almanac.Scheduler;
import dev.almanac.calendars.Target2;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.JacksonCommandCodec;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.InMemoryJobStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tables of docs/job-specification.md, against the model, its Javadoc, and the reader of files. */
class SpecificationPageTest {
    private static final Path ROOT = Path.of(System.getProperty("almanac.root"));
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private record Row(List<String> fields, List<String> options, String defaultValue, List<String> examples) {}

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/job-specification.md")).stream()
                .filter(line -> line.matches("\\| `\\w+`.*") && line.split("\\|").length == 8)
                .map(line -> line.split("\\|"))
                .map(cells -> new Row(code(cells[1]), options(cells[2]), plain(cells[4]), code(cells[5])))
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
            return JobSpecification.class.getMethod(field).invoke(job);
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

    private static Object hocon(String text) {
        boolean structured = text.startsWith("[") || text.startsWith("{");
        return structured ? ConfigFactory.parseString("value = " + text).getAnyRef("value") : text;
    }
}
