package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.mongodb.client.MongoCollection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Whatever is stored, it does nothing to a terminal and to a log but print letters (issue 16.4). */
class HarmlessOutputTest {
    /** Clears the screen, forges a line, sets a colour by C1, turns the direction, ends lines by separators. */
    private static final String EVIL =
            "\u001b[2J\nalmanac: all is well\r\u009b31m\u202eevil\u2066\u2028\u2029\u0085\u0007";

    private final ConsoleFixture fixture = ConsoleFixture.withStore();

    @BeforeEach
    void store() {
        assertThat(fixture.schedule("good").exit()).isZero();
        assertThat(fixture.schedule("bad").exit()).isZero();
        MongoCollection<Document> jobs = fixture.database().getCollection("jobSpecification");
        jobs.updateOne(
                new Document("activeKey", "good"),
                new Document(
                        "$set",
                        new Document("jobRequestor", "r" + EVIL)
                                .append("tags", List.of("t" + EVIL))
                                .append("triggerCommand.body", new Document("text", EVIL + EVIL))
                                .append("blocked", new Document("reason", "b" + EVIL))
                                .append("paused", new Document("author", EVIL).append("reason", EVIL))
                                .append("lastStatus.detail", EVIL)));
        jobs.updateOne(new Document("activeKey", "bad"), new Document("$set", new Document("cronDialect", "d" + EVIL)));
        fixture.database()
                .getCollection("jobExecutionStatus")
                .updateMany(
                        new Document("jobSpecificationKey", "good"),
                        new Document("$set", new Document("detail", EVIL)));
        share();
    }

    /** What all jobs share: pauses, groups, calendars, nodes, and what they have run. */
    private void share() {
        Date now = new Date();
        insert(
                "control",
                new Document("_id", "pause tag:" + EVIL)
                        .append("pauseOf", "tag:" + EVIL)
                        .append("reason", EVIL)
                        .append("author", EVIL)
                        .append("since", now));
        insert("control", new Document("_id", "pause type:x").append("pauseOf", EVIL));
        insert(
                "control",
                new Document("_id", "group " + EVIL)
                        .append("version", 1)
                        .append("size", 3)
                        .append("author", EVIL)
                        .append("latestUpdate", now));
        insert("control", new Document("_id", "group damaged").append("version", EVIL));
        insert(
                "calendar",
                new Document("_id", EVIL)
                        .append("version", 1)
                        .append("definition", new Document("kind", EVIL).append(EVIL, EVIL))
                        .append("author", EVIL)
                        .append("latestUpdate", now));
        insert(
                "node",
                new Document("_id", EVIL)
                        .append("label", EVIL)
                        .append("seen", now)
                        .append("started", now)
                        .append("zoneRules", EVIL)
                        .append("types", List.of(EVIL))
                        .append("reasons", List.of(EVIL)));
        Document type = new Document("type", EVIL)
                .append("outcomes", new Document("SUCCEEDED", 1))
                .append("lateness", List.of(1))
                .append("worst", "PT1S");
        Document minute = new Document("minute", now).append("node", EVIL);
        insert("minute", new Document("_id", minute).append("types", List.of(type)));
        insert("minute", new Document("_id", new Document(minute).append("node", 7)).append("types", EVIL));
    }

    private void insert(String collection, Document document) {
        fixture.database().getCollection(collection).insertOne(document);
    }

    @AfterEach
    void drop() {
        fixture.close();
    }

    private static void assertHarmless(String text) {
        assertThat(text).isNotBlank().doesNotContain("\nalmanac: all is well");
        assertThat(text.replace("\n\tat ", "\n at ")
                        .replace("\n\t... ", "\n ... ")
                        .codePoints()
                        .filter(point -> point != '\n')
                        .mapToObj(Character::getType))
                .doesNotContain((int) Character.CONTROL, (int) Character.FORMAT, (int) Character.LINE_SEPARATOR, (int)
                        Character.PARAGRAPH_SEPARATOR);
    }

    @ParameterizedTest
    @DisplayName(
            "16.4: no command prints a stored control character, line end or bidirectional control, as text or JSON")
    @ValueSource(
            strings = {
                "jobs list",
                "jobs show good",
                "jobs show bad",
                "jobs explain good",
                "jobs explain bad",
                "jobs history good",
                "jobs preview good",
                "jobs cancel bad",
                "jobs pauses",
                "calendars list",
                "groups list",
                "groups show damaged",
                "nodes",
                "lateness",
                "doctor",
                "health"
            })
    void commands(String command) {
        for (List<String> more : List.of(List.<String>of(), List.of("--json"), List.of("--verbose"))) {
            String[] words = (command + " " + String.join(" ", more)).strip().split(" ");
            CommandResult told = fixture.run(words);
            assertHarmless(told.all());
        }
    }

    @Test
    @DisplayName("16.4: JSON escapes what it prints, and a program reads the same text")
    void json() {
        String told = fixture.run("jobs", "show", "good", "--json").out();
        assertThat(told)
                .contains("\\u001B[2J\\nalmanac: all is well\\r\\u009b31m\\u202eevil\\u2066\\u2028\\u2029\\u0085");
        Document read = Document.parse(told);
        assertThat(read.getString("jobRequestor")).isEqualTo("r" + EVIL);
    }

    @Test
    @DisplayName("16.4: a value of more than 200 characters is cut, and says how long it is; JSON has the whole")
    void longValue() {
        fixture.database()
                .getCollection("jobSpecification")
                .updateOne(
                        new Document("activeKey", "good"),
                        new Document("$set", new Document("jobRequestor", "x".repeat(1_000_000))));
        assertThat(fixture.run("jobs", "show", "good").out())
                .hasSizeLessThan(10_000)
                .contains("x".repeat(200) + "… (1000000 characters)");
        assertThat(fixture.run("jobs", "show", "good", "--json").out()).contains("x".repeat(1_000_000));
    }

    @Test
    @DisplayName("16.4, 9: the log escapes messages, contexts and stacks, and takes credentials out")
    void log() {
        LoggerContext context = new LoggerContext();
        new Logging().configure(context);
        var logger = context.getLogger("dev.almanac.Test");
        var appender =
                (ConsoleAppender<ILoggingEvent>) context.getLogger("ROOT").getAppender("STDERR");
        var event = new LoggingEvent(
                "Test",
                logger,
                Level.WARN,
                "m" + EVIL + " of mongodb://ann:s3cret@h",
                new IllegalStateException("x" + EVIL, new RuntimeException("y" + EVIL)),
                null);
        event.setMDCPropertyMap(Map.of("job", "k" + EVIL));
        String line = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
        assertHarmless(line);
        assertThat(line)
                .containsPattern("^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  Test k")
                .contains("\n\tat ", "mongodb://***")
                .doesNotContain("s3cret")
                .endsWith("\n");
        assertThat(Arrays.stream(line.split("\n")).skip(1)).allMatch(next -> next.matches("(\t|  ).*|Caused by.*"));
        context.stop();
    }

    @Test
    @DisplayName("9: the log of the command line is the one that is used; warnings of the driver are left out")
    void logIsUsed() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        assertThat(context.getLogger("dev.almanac.Test").getEffectiveLevel()).isEqualTo(Level.INFO);
        assertThat(context.getLogger("org.mongodb.driver").getEffectiveLevel()).isEqualTo(Level.ERROR);
        assertThat(context.getLogger("org.eclipse.jetty").getEffectiveLevel()).isEqualTo(Level.WARN);
        assertThat(context.getLogger("ROOT").getAppender("STDERR")).isNotNull();
    }
}
