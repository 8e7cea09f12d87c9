package dev.almanac.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlmanacConfigTest {
    private static AlmanacConfig read(String text) {
        return AlmanacConfig.read(ConfigFactory.parseString(
                "almanac {\n" + text + "\n}", ConfigParseOptions.defaults().setOriginDescription("service.conf")));
    }

    private static List<ConfigProblem> problems(String text) {
        InvalidConfigException e = catchThrowableOfType(InvalidConfigException.class, () -> read(text));
        assertThat(e).as("refused: %s", text).isNotNull();
        return e.problems();
    }

    @Test
    @DisplayName("what is not said has its default, and reference.conf says the same")
    void defaults() {
        AlmanacConfig silent = read("");
        assertThat(silent).isEqualTo(AlmanacConfig.defaults());
        assertThat(silent).isEqualTo(AlmanacConfig.read(ConfigFactory.parseResources("reference.conf")));
        assertThat(silent.settings()).isEqualTo(SchedulerSettings.defaults());
        assertThat(silent.retention()).isEqualTo(Retention.DEFAULT);
        assertThat(silent.store()).isEqualTo(MongoStoreSettings.defaults());
        assertThat(silent.uri()).isNull();
        assertThat(silent.drainTimeout()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("every part of a configuration arrives where it belongs")
    void everything() {
        AlmanacConfig config = read("""
                zone = Europe/Berlin
                service-name = billing
                label = billing-1
                default-calendar = weekends
                drain-timeout = PT45S
                poll-interval = 750 ms
                max-concurrent-runs = "12"
                auto-rehydrate = off
                retention-spread = 0.25
                retention { good = 2 d, superseded = 0 s }
                type-limits { letter = 3, billing.reminder = 4 }
                type-defaults { letter { priority = 2, retry = R5/PT5M }, "billing.reminder" { priority = 6 } }
                store { uri = "mongodb://localhost:27017", database = books, create-indexes = no, commit-quorum = majority }
                """);
        assertThat(config.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(config.serviceName()).isEqualTo("billing");
        assertThat(config.label()).isEqualTo("billing-1");
        assertThat(config.defaultCalendar()).isEqualTo("weekends");
        assertThat(config.drainTimeout()).isEqualTo(Duration.ofSeconds(45));
        assertThat(config.settings())
                .isEqualTo(SchedulerSettings.builder()
                        .pollInterval(Duration.ofMillis(750))
                        .maxConcurrentRuns(12)
                        .autoRehydrate(false)
                        .retentionSpread(0.25)
                        .build());
        assertThat(config.retention())
                .isEqualTo(new Retention(
                        Duration.ofDays(2), Retention.DEFAULT.failed(), Retention.DEFAULT.canceled(), Duration.ZERO));
        assertThat(config.typeLimits()).isEqualTo(Map.of("letter", 3, "billing.reminder", 4));
        assertThat(config.typeDefaults())
                .isEqualTo(Map.of(
                        "letter",
                        new TypeDefaults(2, RetryPolicy.parse("R5/PT5M")),
                        "billing.reminder",
                        new TypeDefaults(6, null)));
        assertThat(config.store())
                .isEqualTo(MongoStoreSettings.ofDatabase("books")
                        .withCreateIndexes(false)
                        .withCommitQuorum("majority"));
        assertThat(config.uri()).isEqualTo("mongodb://localhost:27017");
    }

    @Test
    @DisplayName("C2: calendars of each kind are read by the names of the rule, nested or not, lists or texts")
    void calendars() {
        AlmanacConfig config = read("""
                calendars {
                  night { kind = Daily, exclude { start-time = "22:00", end-time = "05:00" }, timezone = UTC }
                  weekends { kind = weekly, exclude-days = [1, SAT] }
                  ends { kind = Monthly, exclude-days = "L" }
                  feasts { kind = Annual, exclude-dates = ["12-25", "12-26"], description = "the same each year" }
                  moved { kind = Holiday, exclude-dates = ["2027-03-26"] }
                  noon { kind = Cron, exclude-expression = "0 0 12 * * ?" }
                }
                """);
        Map<String, List<String>> verdicts = Map.of(
                "night", List.of("2027-03-24T23:00:00Z", "2027-03-24T12:00:00Z"),
                "weekends", List.of("2027-03-27T12:00:00Z", "2027-03-24T12:00:00Z"),
                "ends", List.of("2027-03-31T12:00:00Z", "2027-03-30T12:00:00Z"),
                "feasts", List.of("2027-12-25T12:00:00Z", "2027-12-24T12:00:00Z"),
                "moved", List.of("2027-03-26T12:00:00Z", "2028-03-26T12:00:00Z"),
                "noon", List.of("2027-03-24T12:00:00Z", "2027-03-24T12:00:01Z"));
        assertThat(config.calendars().keySet()).isEqualTo(verdicts.keySet());
        ZoneId utc = ZoneId.of("UTC");
        verdicts.forEach((name, instants) -> {
            var calendar = config.calendars().get(name).calendar();
            assertThat(calendar.isIncluded(Instant.parse(instants.get(0)), utc))
                    .as(name)
                    .isFalse();
            assertThat(calendar.isIncluded(Instant.parse(instants.get(1)), utc))
                    .as(name)
                    .isTrue();
        });
    }

    @Test
    @DisplayName("S15: * in defaults and limits is every type; a type that the service does not register is refused")
    void types() {
        AlmanacConfig all = read("type-limits { \"*\" = 3 }, type-defaults { \"*\" { priority = 6 } }");
        assertThat(all.typeLimits()).isEqualTo(Map.of("*", 3));
        assertThat(all.typeDefaults()).isEqualTo(Map.of("*", new TypeDefaults(6, null)));
        service(all);
        assertThat(read("type-defaults { letter { priority = null, retry = null } }")
                        .typeDefaults())
                .as("null is absent")
                .isEqualTo(Map.of("letter", new TypeDefaults(null, null)));
        IllegalStateException e = catchThrowableOfType(
                IllegalStateException.class,
                () -> service(read("type-limits { leter = 3 }, type-defaults { lettr { priority = 6 } }")));
        assertThat(e).hasMessageContainingAll("'leter'", "'lettr'", "known are *, letter; did you mean 'letter'?");
    }

    @Test
    @DisplayName("S10, S15: the name of a type may have dots, quoted or not, in limits as in defaults")
    void typesWithDots() {
        AlmanacConfig config = read("""
                type-limits { method.sync = 2, "method.other" = 3 }
                type-defaults {
                  method { retry = R1/PT1M, sync { priority = 2, retry = R5/PT5M } }
                  "method.other" { priority = 3 }
                  method.report.daily {}
                  method.gone { priority = null }
                }
                """);
        assertThat(config.typeLimits()).isEqualTo(Map.of("method.sync", 2, "method.other", 3));
        assertThat(config.typeDefaults())
                .isEqualTo(Map.of(
                        "method", new TypeDefaults(null, RetryPolicy.parse("R1/PT1M")),
                        "method.sync", new TypeDefaults(2, RetryPolicy.parse("R5/PT5M")),
                        "method.other", new TypeDefaults(3, null),
                        "method.report.daily", new TypeDefaults(null, null),
                        "method.gone", new TypeDefaults(null, null)));
    }

    @ParameterizedTest
    @DisplayName("S15: what is wrong in the defaults of a type is told with the whole name")
    @CsvSource({
        "letter = 3, letter",
        "letter { colour = red }, letter.colour",
        "method.sync = 3, method.sync",
        "method.sync { colour = red }, method.sync.colour",
        "method.sync { priority = 8 }, method.sync.priority",
        "method.sync { priority { high = 1 } }, method.sync.priority",
        "\"method.sync\" { retry = never }, \"method.sync\".retry",
    })
    void wrongDefaults(String text, String path) {
        assertThat(problems("type-defaults { " + text + " }"))
                .singleElement()
                .extracting(ConfigProblem::path)
                .isEqualTo("almanac.type-defaults." + path);
    }

    @Test
    @DisplayName("C2: the name of a calendar may have dots, quoted or not; without a kind it is none")
    void calendarsWithDots() {
        assertThat(read("""
                        calendars {
                          bank { kind = Weekly, exclude-days = [SUN] }
                          days.off { kind = Weekly, exclude-days = [SAT] }
                          days.night { kind = Daily, exclude { start-time = "22:00", end-time = "05:00" } }
                          "days.on" { kind = Weekly, exclude-days = [MON] }
                        }
                        """).calendars()).containsOnlyKeys("bank", "days.off", "days.night", "days.on");
        assertThat(problems("calendars { days.night { exclude { start-time = \"22:00\" } } }"))
                .extracting(ConfigProblem::path)
                .contains("almanac.calendars.days.kind");
    }

    @Test
    @DisplayName("null is absent also where the user gives the names, which may have dots")
    void nullNames() {
        AlmanacConfig config = read("""
                calendars { x = null, days.off = null, days.on { kind = Weekly, exclude-days = [SUN] }, gone.away.far = null }
                type-limits { x = null, method.gone = null, method.sync = 2 }
                type-defaults { x = null, method.gone = null, method.sync { priority = 2, more = null } }
                """);
        assertThat(config.calendars()).containsOnlyKeys("days.on");
        assertThat(config.typeLimits()).isEqualTo(Map.of("method.sync", 2));
        assertThat(config.typeDefaults()).isEqualTo(Map.of("method.sync", new TypeDefaults(2, null)));
    }

    @Test
    @DisplayName("braces without anything between them are no number, no calendar, and defaults that set nothing")
    void emptyNames() {
        assertThat(problems("type-limits { letter {}, method.sync {} }, calendars { x {} }"))
                .extracting(problem -> problem.path() + ": " + problem.expected())
                .satisfiesExactlyInAnyOrder(
                        limit -> assertThat(limit).startsWith("almanac.type-limits.letter: expected a whole number"),
                        limit -> assertThat(limit)
                                .startsWith("almanac.type-limits.method.sync: expected a whole number"),
                        calendar -> assertThat(calendar).startsWith("almanac.calendars.x.kind: "));
        assertThat(read("type-defaults { letter {} }").typeDefaults())
                .isEqualTo(Map.of("letter", new TypeDefaults(null, null)));
    }

    @ParameterizedTest
    @DisplayName("S15: what is said of a name in quotes and without is refused: one of them would be lost")
    @CsvSource({
        "'type-limits { method.sync = 2, \"method.sync\" = 3 }'",
        "'type-defaults { method.sync { priority = 2 }, \"method.sync\" { retry = R5/PT5M } }'",
        "'calendars { days.off { kind = Weekly }, \"days.off\" { kind = Weekly } }'",
    })
    void namesTwice(String text) {
        assertThat(problems(text))
                .anySatisfy(
                        problem -> assertThat(problem.expected()).contains("is given twice, in quotes and without"));
    }

    private static void service(AlmanacConfig config) {
        SchedulerBuilder builder = Scheduler.builder()
                .store(new InMemoryJobStore(TimeSource.system()))
                .command("letter", 1, Letter.class);
        config.applyTo(builder);
        builder.build().close();
    }

    private record Letter() implements SchedulingCommand {}

    @Test
    @DisplayName(
            "settings of another configuration system: names relaxed, lists as maps, names of the user as they are")
    void relaxed() {
        AlmanacConfig config = AlmanacConfig.read(
                Map.of(
                        "maxConcurrentRuns", "7",
                        "RETENTION", Map.of("GOOD", "2 d"),
                        "store", Map.of("createIndexes", false, "database", "books"),
                        "typeLimits", Map.of("shipLetter", 3, "*", 4),
                        "calendars",
                                Map.of(
                                        "daysOff",
                                        Map.of("kind", "Weekly", "exclude-days", Map.of("0", "SAT", "1", "SUN")))),
                "properties");
        assertThat(config.settings().maxConcurrentRuns()).isEqualTo(7);
        assertThat(config.retention().good()).isEqualTo(Duration.ofDays(2));
        assertThat(config.store())
                .isEqualTo(MongoStoreSettings.ofDatabase("books").withCreateIndexes(false));
        assertThat(config.typeLimits()).isEqualTo(Map.of("shipLetter", 3, "*", 4));
        Instant sunday = Instant.parse("2027-03-28T12:00:00Z");
        assertThat(config.calendars().get("daysOff").calendar().isIncluded(sunday, ZoneId.of("UTC")))
                .isFalse();
        InvalidConfigException e = catchThrowableOfType(
                InvalidConfigException.class,
                () -> AlmanacConfig.read(Map.of("store", Map.of("databse", "books")), "properties"));
        assertThat(e).hasMessageContaining("properties").hasMessageContaining("did you mean almanac.store.database?");
    }

    @Test
    @DisplayName("a connection string with a wrong option: the option is named, neither its value nor percent-encoding")
    void wrongOption() {
        for (String option : List.of("authMechanism=S3CRET", "w=1&readPreference=S3CRET")) {
            ConfigProblem problem = problems("store.uri = \"mongodb://ann:pw@localhost/?appName=x&" + option + "\"")
                    .get(0);
            assertThat(problem.toString())
                    .contains("the option " + option.replaceAll(".*&", "").split("=")[0] + " has a value")
                    .doesNotContain("S3CRET", "percent", "ann", "pw@");
        }
        assertThat(problems("store.uri = \"mongodb://a%zz:b@localhost/?w=1\"")
                        .get(0)
                        .toString())
                .contains("percent-encoded");
    }

    @Test
    @DisplayName("all that is wrong is told in one exception, each with path, value, place and what is expected")
    void allAtOnce() {
        List<ConfigProblem> problems = problems("""
                pol-interval = 1 s
                lead = 300 ms
                claim-batch = many
                zone = Mars/Olympus
                store { database = "a b", partitions = 201 }
                calendars { odd { kind = Weekly, exclude-days = [9], timezone = Nowhere, exclude-day = 1 } }
                type-limits { letter = 0 }
                retention = 7
                """);
        assertThat(problems)
                .extracting(ConfigProblem::path)
                .containsExactlyInAnyOrder(
                        "almanac.pol-interval",
                        "almanac.lead",
                        "almanac.claim-batch",
                        "almanac.zone",
                        "almanac.store.database",
                        "almanac.store.partitions",
                        "almanac.calendars.odd.exclude-days",
                        "almanac.calendars.odd.exclude-day",
                        "almanac.calendars.odd.timezone",
                        "almanac.type-limits.letter",
                        "almanac.retention");
        assertThat(problems)
                .filteredOn(problem -> problem.path().equals("almanac.claim-batch"))
                .singleElement()
                .hasToString("service.conf: 4: almanac.claim-batch = many: expected a whole number, 1 to 5000");
    }

    @ParameterizedTest
    @DisplayName("an unknown key is refused with the nearest known one")
    @CsvSource({
        "pollInterval = 1 s, almanac.poll-interval",
        "pol-interval = 1 s, almanac.poll-interval",
        "max-concurrent-run = 3, almanac.max-concurrent-runs",
        "uri = \"mongodb://h\", almanac.store.uri",
        "store.url = \"mongodb://h\", almanac.store.uri",
        "store { createIndexes = off }, almanac.store.create-indexes",
        "scheduler { claim-batch = 5 }, almanac.claim-batch",
        "calender { }, almanac.calendars",
        "retention.cancelled = 1 d, almanac.retention.canceled",
    })
    void unknown(String text, String near) {
        assertThat(problems(text))
                .singleElement()
                .extracting(ConfigProblem::expected)
                .isEqualTo("is not known; did you mean " + near + "?");
    }

    @Test
    @DisplayName("an unknown key that is near to nothing is refused with what is known in its section")
    void unknownAltogether() {
        assertThat(problems("retention.xyzzy-plugh = 1").get(0).expected())
                .isEqualTo("is not known; known are retention.canceled, retention.failed, retention.good, "
                        + "retention.superseded");
    }

    @ParameterizedTest
    @DisplayName("durations have units, numbers are whole and in range, switches are on or off")
    @ValueSource(
            strings = {
                "poll-interval = 1000",
                "poll-interval = \"1000\"",
                "poll-interval = 5 parsecs",
                "poll-interval = 0 s",
                "poll-interval = -1 s",
                "poll-interval = PT",
                "poll-interval = \"\"",
                "poll-interval = [1 s]",
                "poll-interval { a = 1 }",
                "lead = 251 ms",
                "claim-batch = 1.5",
                "claim-batch = 0",
                "claim-batch = 5001",
                "claim-batch = 99999999999999999999",
                "retention-spread = 1.1",
                "retention-spread = NaN",
                "auto-rehydrate = maybe",
                "auto-rehydrate = 1",
                "store.commit-quorum = 2",
                "store.operation-timeout = 500 us",
                "store.operation-timeout = 25 d",
                "store.operation-timeout = P99999999999999D",
                "drain-timeout = 36526 d",
                "store = 5",
                "calendars = 5",
                "calendars.a = 5",
                "calendars.a { exclude-days = [1] }",
                "calendars.a { kind = Yearly }",
                "calendars.a { kind = Weekly, exclude-dates = [\"12-25\"] }",
                "type-limits = []",
                "label = \"\"",
            })
    void refused(String text) {
        assertThat(problems(text)).singleElement().satisfies(problem -> {
            assertThat(problem.path()).startsWith("almanac." + text.split("[ .=]")[0]);
            assertThat(problem.place()).startsWith("service.conf: ");
        });
    }

    @ParameterizedTest
    @DisplayName("bounds themselves are allowed")
    @ValueSource(
            strings = {
                "lead = 250 ms",
                "lead = 0 s",
                "claim-batch = 1",
                "claim-batch = 5000",
                "max-concurrent-runs = 100000",
                "claims-in-flight = 16",
                "abandoned-limit = 1000",
                "retention-spread = 1",
                "min-priority = 7",
                "max-priority = 0",
                "store.partitions = 200",
                "store.operation-timeout = 1 ms",
                "store.operation-timeout = 24 d",
                "past-acceptance-window = 1.5 h",
            })
    void accepted(String text) {
        assertThat(read(text)).isNotNull();
    }

    @Test
    @DisplayName("rules about several settings are reported with the keys, and not where one of them cannot be read")
    void together() {
        assertThat(problems("lease-length = 6 s\nmin-priority = 5\nmax-priority = 3"))
                .extracting(ConfigProblem::toString)
                .containsExactly(
                        "service.conf: 2: almanac.lease-length = 6 s: lease-length PT6S is too short: a third of it "
                                + "must exceed skew-allowance + lead",
                        "service.conf: 4: almanac.max-priority = 3: max-priority 3 is not within 5 to 7");
        assertThat(problems("lease-length = 1 s\nskew-allowance = soon"))
                .extracting(ConfigProblem::path)
                .containsExactly("almanac.skew-allowance");
    }

    @Test
    @DisplayName("system properties may say what a file may say; they are texts")
    void properties() {
        Map<String, String> properties =
                Map.of("almanac.claim-batch", "7", "almanac.auto-rehydrate", "false", "almanac.store.database", "x");
        AlmanacConfig config = AlmanacConfig.read(ConfigFactory.parseMap(properties)
                .withFallback(ConfigFactory.parseString("almanac.claim-batch = 9, almanac.lead = 1 ms")));
        assertThat(config.settings().claimBatch()).isEqualTo(7);
        assertThat(config.settings().lead()).isEqualTo(Duration.ofMillis(1));
        assertThat(config.settings().autoRehydrate()).isFalse();
    }

    @Test
    @DisplayName("a file is read with its name and lines; one that is missing or says nothing of Almanac is refused")
    void files(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.conf");
        Files.writeString(file, "other = 1\nalmanac {\n  claim-batch = 3\n  steel-after = 1 s\n}\n");
        InvalidConfigException e = catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file));
        assertThat(e.problems())
                .singleElement()
                .hasToString(file + ":4: almanac.steel-after: is not known; " + "did you mean almanac.steal-after?");
        Files.writeString(file, "almanac.claim-batch = 3");
        assertThat(AlmanacConfig.read(file).settings().claimBatch()).isEqualTo(3);
        Files.writeString(file, "almanack.claim-batch = 3");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file)))
                .hasMessageEndingWith("a.conf: almanac: there is no such section; did you mean it by 'almanack'?");
        assertThat(catchThrowableOfType(
                        InvalidConfigException.class, () -> AlmanacConfig.read(folder.resolve("none.conf"))))
                .hasMessageContaining("none.conf")
                .hasMessageContaining("cannot be read");
    }

    @Test
    @DisplayName("17.4: a file of more than 16 MiB is refused, also an included one; a binary one gets one line")
    void large(@TempDir Path folder) throws IOException {
        int most = 16 * 1024 * 1024;
        String text = "almanac { claim-batch = 3 }\n#";
        Path file = Files.writeString(folder.resolve("a.conf"), text + "x".repeat(most - text.length()));
        assertThat(AlmanacConfig.read(file).settings().claimBatch()).isEqualTo(3);
        Files.writeString(file, "x", StandardOpenOption.APPEND);
        assertThat(refusal(file))
                .endsWith("a.conf: is larger than 16 MiB; name a file in HOCON or JSON")
                .hasLineCount(2);
        Path other = Files.writeString(folder.resolve("b.conf"), "almanac { include \"a.conf\" }");
        assertThat(refusal(other)).contains("a.conf: is larger than 16 MiB").hasLineCount(2);
        byte[] bytes = new byte[4_096];
        new Random(7).nextBytes(bytes);
        Files.write(file, bytes);
        assertThat(refusal(file)).contains("a.conf").hasLineCount(2);
    }

    @Test
    @DisplayName(
            "R13: a file that is not UTF-8 is refused with its line, also one that is included; one that is keeps its letters")
    void notUtf8(@TempDir Path folder) throws IOException {
        Path latin = folder.resolve("latin.conf");
        Files.write(latin, "almanac {\n  label = a\n  label = café\n}".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(refusal(latin)).contains("latin.conf:3: is not UTF-8").hasLineCount(2);
        Path cut = folder.resolve("cut.json");
        Files.write(cut, new byte[] {'{', '\n', '"', (byte) 0xc3});
        assertThat(refusal(cut)).contains("cut.json:2: is not UTF-8").hasLineCount(2);
        Path outer = Files.writeString(folder.resolve("outer.conf"), "include \"latin.conf\"\nalmanac.zone = UTC");
        assertThat(refusal(outer)).contains("latin.conf:3: is not UTF-8").hasLineCount(2);
        Files.writeString(latin, "\ufeffalmanac { label = café }");
        assertThat(AlmanacConfig.read(outer).label()).isEqualTo("café");
    }

    @Test
    @DisplayName("16.7: files that include each other are refused with one line")
    void circle(@TempDir Path folder) throws IOException {
        Path one = Files.writeString(folder.resolve("one.conf"), "include \"two.conf\"\nalmanac.zone = UTC");
        Files.writeString(folder.resolve("two.conf"), "include \"one.conf\"");
        assertThat(refusal(one)).contains(".conf").hasLineCount(2);
    }

    @Test
    @DisplayName("17.4: of a device, whose size nobody knows, no more is read than a file may have")
    void device() {
        assertThat(refusal(Path.of("/dev/zero"))).endsWith("zero: is larger than 16 MiB; name a file in HOCON or JSON");
    }

    private static String refusal(Path file) {
        return catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file))
                .getMessage();
    }

    @Test
    @DisplayName("16.7: a file includes files of its folder and below; nothing from elsewhere, and from no server")
    void includes(@TempDir Path outside) throws IOException {
        Path folder = Files.createDirectories(outside.resolve("conf/more"));
        Path file = folder.resolveSibling("a.conf");
        Files.writeString(folder.resolve("b.conf"), "include \"c.conf\"\nalmanac.claim-batch = 3");
        Files.writeString(folder.resolve("c.conf"), "almanac.label = c");
        Files.writeString(outside.resolve("d.conf"), "almanac.label = d");
        Files.writeString(file, "include \"more/b.conf\"\ninclude \"not-there\"\nalmanac.zone = UTC");
        AlmanacConfig config = AlmanacConfig.read(file);
        assertThat(config.settings().claimBatch()).isEqualTo(3);
        assertThat(config.label()).isEqualTo("c");
        Files.createSymbolicLink(folder.resolve("link.conf"), outside.resolve("d.conf"));
        for (String include : List.of(
                "\"../d.conf\"",
                "file(\"" + outside.resolve("d.conf") + "\")",
                "\"" + outside.resolve("d.conf") + "\"",
                "\"more/link.conf\"",
                "url(\"file:" + outside.resolve("d.conf") + "\")",
                "url(\"http://127.0.0.1:1/d.conf\")",
                "\"http://127.0.0.1:1/d.conf\"",
                "classpath(\"reference.conf\")",
                "required(classpath(\"reference.conf\"))",
                "required(\"not-there\")")) {
            Files.writeString(file, "include " + include + "\nalmanac.zone = UTC");
            assertThat(catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file)))
                    .as(include)
                    .isNotNull()
                    .hasMessageContaining("include ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "include \"b.conf\"; almanac.jobs = [{key = a}] | b.conf",
                "almanac.jobs = [{key = a}]; include \"b.conf\" | a.conf",
                "include \"b.conf\"; include \"c.conf\" | b.conf",
                "almanac { jobs = [{key = a}]; include \"inner.conf\" } | a.conf",
                "almanac { include \"inner.conf\"; include \"more/d.conf\" } | inner.conf",
                "include \"defaults.conf\"; include \"refers.conf\"; almanac.jobs = [{key = a}] | refers.conf",
                "include \"defaults.conf\"; almanac = ${defaults}; almanac { jobs = [{key = a}] }; include \"c.conf\" | a.conf",
                "include \"common.conf\"; include \"both.conf\"; almanac.jobs = [{key = a}] | both.conf",
                "include \"common.conf\"; include \"both.conf\" | ",
                "include \"defaults.conf\"; include \"refers.conf\" | ",
                "include \"b.conf\" | ",
                "almanac.jobs = [{key = a}]; include \"plus.conf\" | ",
                "include \"b.conf\"; almanac.jobs += {key = a} | ",
                "include \"b.conf\"; almanac.jobs = ${almanac.jobs} [{key = a}] | ",
                "include \"defaults.conf\"; almanac = ${defaults}; almanac { jobs = [{key = a}, {key = b}] } | ",
                "include \"inner.conf\"; almanac.jobs = [{key = a}, {key = b}] | ",
                "almanac { jobs = [{key = a}]; include \"plus-inner.conf\" } | ",
            })
    @DisplayName("16.7: no item of a list of jobs is lost over several files; += adds to it")
    void listOverFiles(String text, @Nullable String lost, @TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("more"));
        Files.writeString(folder.resolve("b.conf"), "almanac.jobs = [{key = b}, {key = b2}]");
        Files.writeString(folder.resolve("c.conf"), "almanac.jobs = [{key = c}]");
        Files.writeString(folder.resolve("inner.conf"), "jobs = [{key = b}, {key = b2}]");
        Files.writeString(folder.resolve("more/d.conf"), "jobs = [{key = d}]");
        Files.writeString(folder.resolve("defaults.conf"), "defaults { zone = UTC }");
        Files.writeString(
                folder.resolve("refers.conf"), "almanac = ${defaults}\nalmanac { jobs = [{key = b}, {key = b2}] }");
        Files.writeString(folder.resolve("common.conf"), "common = [{key = x}]");
        Files.writeString(folder.resolve("both.conf"), "almanac.jobs = ${common} [{key = b}]");
        Files.writeString(folder.resolve("plus.conf"), "almanac.jobs += {key = p}");
        Files.writeString(folder.resolve("plus-inner.conf"), "jobs += {key = p}");
        Path file = folder.resolve("a.conf");
        Files.writeString(file, text.replace("; ", "\n"));
        if (lost == null) {
            assertThat(AlmanacConfig.parse(file, "almanac.jobs").getList("almanac.jobs"))
                    .hasSizeGreaterThan(1);
        } else {
            assertThat(catchThrowableOfType(
                            InvalidConfigException.class, () -> AlmanacConfig.parse(file, "almanac.jobs")))
                    .isNotNull()
                    .hasMessageContaining("almanac.jobs: is given in several files: what " + lost + " has of it");
        }
    }

    @Test
    @DisplayName(
            "16.7: an include within an item of a list is no second list; one whose name is no path is refused by name")
    void includeWithin(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("common.conf"), "type = mail");
        Path file = folder.resolve("a.conf");
        Files.writeString(file, "almanac { jobs = [ { include \"common.conf\", key = a } ] }");
        assertThat(AlmanacConfig.parse(file, "almanac.jobs").getConfigList("almanac.jobs"))
                .singleElement()
                .satisfies(job -> assertThat(job.getString("type")).isEqualTo("mail"));
        Files.writeString(file, "almanac { include \"x\\u0000.conf\" }");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.parse(file)))
                .hasMessageContaining("a.conf")
                .hasMessageContaining("is no name of a file here");
    }

    @Test
    @DisplayName("16.7: a list that stands outside of the section is not said to be given several times")
    void listOutside(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.conf");
        Files.writeString(file, "jobs = [{key = a}]");
        assertThat(AlmanacConfig.parse(file, "almanac.jobs").hasPath("almanac")).isFalse();
    }

    @Test
    @DisplayName("16.7: the environment comes into store.uri, as documented, and into nothing else")
    void environment(@TempDir Path folder) throws IOException {
        String name = "PATH";
        Path file = folder.resolve("a.conf");
        Files.writeString(file, "almanac { zone = UTC, label = ${?" + name + "}, store.uri = ${?NO_SUCH_VARIABLE} }");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file)))
                .as("what is set and would be dropped")
                .hasMessageContaining("almanac.label")
                .hasMessageContaining("variables of the environment are read for almanac.store.uri only")
                .hasMessageNotContaining(System.getenv(name));
        Files.writeString(
                file,
                "other = ${?" + name + "}\nalmanac { zone = UTC, label = a, label = ${?NO_SUCH_VARIABLE}, store.uri ="
                        + " ${?NO_SUCH_VARIABLE} }");
        assertThat(AlmanacConfig.read(file).label())
                .as("what is not set is absent")
                .isEqualTo("a");
        assertThat(AlmanacConfig.read(file).uri()).isNull();
        Files.writeString(file, "secret = ${" + name + "}\nalmanac.label = ${secret}");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file)))
                .hasMessageContaining("variables of the environment are read for almanac.store.uri only");
        Files.writeString(file, "host = \"h1:27017\"\nalmanac.store.uri = \"mongodb://\"${host}\"/\"${" + name + "}");
        assertThat(AlmanacConfig.parse(file).getString("almanac.store.uri"))
                .isEqualTo("mongodb://h1:27017/" + System.getenv(name));
        Files.writeString(file, "almanac.store.uri = ${" + name + "}\nalmanac.label = ${almanac.store.uri}");
        assertThat(catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file)))
                .isNotNull();
    }

    @Test
    @DisplayName("16.6: the database is the one that is named, else that of the connection string, else almanac")
    void database() {
        assertThat(read("store.uri = \"mongodb://h\"").store().database()).isEqualTo("almanac");
        assertThat(read("store.uri = \"mongodb://h:1,i/orders?w=1\"").store().database())
                .isEqualTo("orders");
        assertThat(read("store.uri = \"mongodb+srv://a:b@h/orders\"").store().database())
                .isEqualTo("orders");
        assertThat(read("store { uri = \"mongodb://h/orders\", database = books }")
                        .store()
                        .database())
                .isEqualTo("books");
        assertThat(read("store.uri = \"mongodb://h/?replicaSet=rs\"").store().database())
                .isEqualTo("almanac");
    }

    @Test
    @DisplayName("a text that looks like a number is taken as it is written")
    void asWritten() {
        AlmanacConfig config = read("""
                release = 1.10
                label = 007
                service-name = 1e3
                calendars { a { kind = Weekly, exclude-days = [1], description = 2.50 } }
                """);
        assertThat(config.release()).isEqualTo("1.10");
        assertThat(config.label()).isEqualTo("007");
        assertThat(config.serviceName()).isEqualTo("1e3");
        assertThat(config.calendars().get("a").toString()).contains("2.50");
        assertThat(problems("store.commit-quorum = 2.10").get(0).value()).isEqualTo("2.10");
    }

    static Stream<String> leaks() {
        String uri = "mongodb://ann:s3cr3t@h1/db";
        return Stream.of(
                "almanac.store.uri = \"mongodb://ann:s3cr3t@\"",
                "almanac.store.uri = \"mongo://ann:s3cr3t@h1\"",
                "almanac.store.uri = \"mongodb://ann:s3c@r3t@h1:x/?s3cr3t\"",
                "almanac.store.uri = [\"" + uri + "\"]",
                "almanac.store.url = \"" + uri + "\"",
                "almanac.store.password = s3cr3t",
                "almanac.store { \"" + uri + "\" = 1 }",
                "almanac.store.uri = " + uri,
                "almanac.store.uri = \"" + uri,
                "almanac.store.uri = ann:s3cr3t@h1",
                "almanac.store.uri = ${s3cr3t}",
                "almanac = \"" + uri + "\"",
                "almanac.store = \"" + uri + "\"",
                "almanac.store = [\"" + uri + "\"]",
                "almanac.store.uri { a = \"" + uri + "\" }",
                "almanac.store.database = \"" + uri + "\"",
                "almanac.store.uri = \"" + uri + "\", almanac.claim-batch = x");
    }

    @ParameterizedTest
    @MethodSource("leaks")
    @DisplayName("no password is in a message, whatever is wrong with a connection string or round it")
    void secrets(String text, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.conf");
        Files.writeString(file, text);
        InvalidConfigException e = catchThrowableOfType(InvalidConfigException.class, () -> AlmanacConfig.read(file));
        assertThat(e).isNotNull();
        assertThat(e.toString() + e.problems() + e.getCause())
                .doesNotContain("s3c")
                .doesNotContain("r3t");
    }

    @Test
    @DisplayName("no password is in toString, and a good connection string is kept as it is")
    void quiet() {
        AlmanacConfig config = read("store.uri = \"mongodb://ann:s3cr3t@h1/db?retryWrites=false\"");
        assertThat(config.uri()).isEqualTo("mongodb://ann:s3cr3t@h1/db?retryWrites=false");
        assertThat(config.toString()).doesNotContain("s3cr3t").contains("uri=not shown");
    }
}
