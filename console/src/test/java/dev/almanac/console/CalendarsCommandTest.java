package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.calendars.Calendars;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoredCalendar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalendarsCommandTest {
    /** A file with 25 December 2100. */
    private static final String CHRISTMAS = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//test//test//EN
            BEGIN:VEVENT
            UID:a
            DTSTAMP:20260101T000000Z
            DTSTART;VALUE=DATE:21001225
            END:VEVENT
            END:VCALENDAR
            """;

    private final ConsoleFixture console = ConsoleFixture.withStore();

    @TempDir
    private Path folder;

    @AfterEach
    void drop() {
        console.close();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    @DisplayName(
            "C5: put stores a calendar and plans its jobs anew; equal ones change nothing; one in use is not deleted")
    void edit() throws IOException {
        assertThat(console.run("calendars", "list").out()).isEqualTo("no calendars are stored\n");
        assertThat(console.run("calendars", "put", "days", "Weekly", "days=1,7;description=no weekends")
                        .out())
                .isEqualTo("days is version 1 now; of the 0 jobs that use it, 0 have another next fire\n");
        console.schedule("j", "--cron", "0 0 12 1-9 1 ? 2100", "--calendar", "days");
        assertThat(console.run("jobs", "preview", "j", "--count", "3").out()).isEqualTo("""
                WANTED            FIRES (UTC)          FIRES (UTC)          WHY
                2100-01-01 12:00  2100-01-01 12:00:00  2100-01-01 12:00:00  REGULAR
                2100-01-02 12:00  -                    -                    EXCLUDED
                  calendar: no weekends
                2100-01-03 12:00  -                    -                    EXCLUDED
                  calendar: no weekends
                """);
        String monday = file("days.conf", "kind = weekly, exclude-days = [FRI, SAT, SUN], description = long weekends");
        assertThat(console.run("calendars", "put", "days", "--file", monday, "--author", "ann", "--reason", "CR-17")
                        .out())
                .isEqualTo("days is version 2 now; of the 1 jobs that use it, 1 have another next fire\n");
        assertThat(console.run("jobs", "list").out()).contains("2100-01-04 12:00:00");
        assertThat(console.run("calendars", "put", "days", "--file", monday).out())
                .isEqualTo("days is stored already; of the 1 jobs that use it, 0 have another next fire\n");
        assertThat(console.run("calendars", "list").out()).isEqualTo("""
                NAME  KIND    VERSION  CHANGED (UTC)        BY           DESCRIPTION
                days  Weekly  2        ####-##-## ##:##:##  ann (CR-17)  long weekends
                """);
        assertThat(console.run("calendars", "show", "days").out()).isEqualTo("""
                days
                  kind          Weekly
                  description   long weekends
                  exclude-days  FRI,SAT,SUN
                  version       2, of ####-##-## ##:##:## UTC
                  by            ann (CR-17)
                """);
        assertThat(console.run("calendars", "show", "days", "--json").out())
                .startsWith(
                        "{\"name\":\"days\",\"version\":2,\"latestUpdate\":\"####-##-##T##:##:##Z\",\"author\":\"ann (CR-17)\",\"definition\":{")
                .contains("\"exclude-days\":[\"FRI\",\"SAT\",\"SUN\"]");
        assertThat(console.run("jobs", "history", "j").out()).contains("calendar 'days' was edited by ann (CR-17)");
        assertThat(console.run("calendars", "delete", "days"))
                .isEqualTo(new CommandResult(
                        1, "", "almanac: calendar 'days' is used by job 'j'; remove it from its jobs first\n"));
        console.run("jobs", "cancel", "j");
        assertThat(console.run("calendars", "delete", "days", "--author", "bob").out())
                .isEqualTo("days was deleted\n");
        assertThat(console.database().getCollection("calendar").find().first()).containsEntry("author", "bob");
        assertThat(console.run("calendars", "list", "--json").out()).isEqualTo("{\"calendars\":[]}\n");
    }

    @Test
    @DisplayName("C5: a job that no edit leaves a fire is blocked, and put says so")
    void withoutFire() {
        console.run("calendars", "put", "days", "Weekly", "days=1");
        console.schedule("j", "--cron", "0 0 12 ? * FRI", "--calendar", "days");
        assertThat(console.run("calendars", "put", "days", "Weekly", "days=FRI").out())
                .isEqualTo("days is version 2 now; of the 1 jobs that use it, 1 have another next fire\n"
                        + "1 jobs have no fire left and are blocked: almanac jobs list shows them\n");
        assertThat(console.run("jobs", "list").out()).contains("BLOCKED");
    }

    @Test
    @DisplayName("C5: a repeated put says what it moved; only if it has looked at no job, it has changed nothing")
    void repeated() {
        console.run("calendars", "put", "days", "Weekly", "days=1");
        console.schedule("j", "--cron", "0 0 12 1-9 1 ? 2100", "--calendar", "days");
        console.run("calendars", "put", "other", "Weekly", "days=1,2,3,4,5,6");
        StoredCalendar other = console.store().cluster().calendars().stream()
                .filter(calendar -> calendar.name().equals("other"))
                .findFirst()
                .orElseThrow();
        // an editor that died right after its write
        boolean edited = console.store()
                .cluster()
                .putCalendar(new StoredCalendar("days", 2, other.definition(), other.latestUpdate(), "ann", false));
        assertThat(edited).isTrue();
        String[] put = {"calendars", "put", "days", "Weekly", "days=1,2,3,4,5,6"};
        assertThat(console.run(put).out())
                .isEqualTo("days is stored already; of the 1 jobs that use it, 1 have another next fire\n");
        console.run("jobs", "cancel", "j");
        assertThat(console.run(put).out()).isEqualTo("days is stored already, nothing was changed\n");
    }

    @Test
    @DisplayName("C5: an edit that cannot plan a job, since a service declares its other calendar, writes nothing")
    void foreign() {
        console.run("calendars", "put", "days", "Weekly", "days=1");
        try (Scheduler service = Scheduler.builder()
                .store(console.store())
                .calendarReader(definition -> Calendars.weekly(List.of(DayOfWeek.SUNDAY)))
                .calendar("own", Calendars.weekly(List.of(DayOfWeek.MONDAY)))
                .build()) {
            service.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey("j")
                    .jobRequestor("r")
                    .schedulingSpecification("0 0 12 * * ?")
                    .zoneId(ZoneOffset.UTC)
                    .triggerCommand(new EncodedCommand("t", 1, Map.of()))
                    .triggerIdentifier("i")
                    .calendars("days", "own")
                    .build());
        }
        CommandResult told = console.run("calendars", "put", "days", "Weekly", "days=2");
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err())
                .startsWith(
                        "almanac: calendar 'days' cannot be edited here: job 'j' names it and 'own', which a service declares");
        assertThat(console.run("calendars", "list").out()).contains("days  Weekly  1 ");
        assertThat(console.run("jobs", "preview", "j"))
                .isEqualTo(new CommandResult(
                        2,
                        "",
                        "almanac: job 'j' cannot be previewed here: calendar 'own' is not known to this node; only a"
                                + " service that declares the job's calendars can compute its fires\n"));
    }

    @Test
    @DisplayName(
            "C6: import shows which dates are added and removed, keeps earlier ones, and changes nothing the second time")
    void imported() throws IOException {
        String ics = """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//test//test//EN
                BEGIN:VEVENT
                UID:a@test
                DTSTAMP:20260101T000000Z
                DTSTART;VALUE=DATE:21000501
                SUMMARY:Labour Day
                END:VEVENT
                BEGIN:VEVENT
                UID:b@test
                DTSTAMP:20260101T000000Z
                DTSTART;VALUE=DATE:21001225
                SUMMARY:Christmas
                END:VEVENT
                END:VCALENDAR
                """;
        String file = file("days.ics", ics);
        String[] first = {"calendars", "import", "days", file, "--from", "2100-01-01"};
        assertThat(console.run("calendars", "import", "days", file, "--from", "2100-01-01", "--dry-run")
                        .out())
                .isEqualTo(
                        "+ 2100-05-01  Labour Day\n+ 2100-12-25  Christmas\n2 dates are added, 0 removed; nothing was written\n");
        assertThat(console.run("calendars", "list").out()).isEqualTo("no calendars are stored\n");
        assertThat(console.run(first).out())
                .isEqualTo("+ 2100-05-01  Labour Day\n+ 2100-12-25  Christmas\n"
                        + "days is version 1 now; of the 0 jobs that use it, 0 have another next fire\n");
        assertThat(console.run(first).out()).isEqualTo("days is stored already, nothing was changed\n");
        String moved = file("moved.ics", ics.replace("21001225", "21001226"));
        assertThat(console.run("calendars", "import", "days", moved, "--from", "2100-06-01", "--dry-run", "--json")
                        .out())
                .isEqualTo("{\"added\":[\"2100-12-26\"],\"removed\":[\"2100-12-25\"],"
                        + "\"summaries\":{\"2100-12-26\":\"Christmas\"},\"leftOut\":[],\"dryRun\":true}\n");
        assertThat(console.run("calendars", "import", "days", moved, "--from", "2100-06-01")
                        .out())
                .startsWith("+ 2100-12-26  Christmas\n- 2100-12-25\ndays is version 2 now;");
        assertThat(console.run("calendars", "show", "days").out()).contains("2100-05-01,2100-12-26");
    }

    @Test
    @DisplayName(
            "S14: a calendar whose list was forgotten is refused; one that excludes nothing is stored if that is written")
    void withoutList() throws IOException {
        console.run("calendars", "put", "c", "Weekly", "days=1");
        for (String[] kind : new String[][] {
            {"Weekly", "exclude-days"},
            {"Monthly", "exclude-days"},
            {"Annual", "exclude-dates"},
            {"Holiday", "exclude-dates"},
            {"Range", "exclude-ranges"},
        }) {
            String field = kind[1];
            for (CommandResult told : List.of(
                    console.run("calendars", "put", "c", kind[0]),
                    console.run("calendars", "put", "c", kind[0], "description=none", "--dry-run"),
                    console.run("calendars", "put", "c", "--file", file("c.conf", "kind = " + kind[0])))) {
                assertThat(told)
                        .isEqualTo(new CommandResult(
                                2,
                                "",
                                "almanac: the calendar was refused, nothing was written: without " + field
                                        + " it excludes nothing; if that is meant, give an empty " + field + "\n"));
            }
            assertThat(console.run("calendars", "show", "c").out()).contains("exclude-days  1");
            assertThat(console.run("calendars", "put", "none-" + kind[0], kind[0], field + "=")
                            .exit())
                    .isZero();
        }
        assertThat(console.run("calendars", "put", "d", "Weekly", "days=").exit())
                .isZero();
        assertThat(console.run("calendars", "put", "e", "--file", file("e.conf", "kind = Weekly, exclude-days = []"))
                        .exit())
                .isZero();
    }

    @Test
    @DisplayName(
            "8: what is wrong with a calendar or its file is reported with exit code 2, a name that none has with 3")
    void wrong() throws IOException {
        console.run("calendars", "put", "days", "Weekly", "days=1");
        for (String[] wrong : new String[][] {
            {"show", "dyas", "no calendar 'dyas' is stored; did you mean days?"},
            {"delete", "x", "no calendar 'x' is stored; stored are days"},
            {"put", "x", "which calendar? Give either KIND and PARAMETERS, or --file FILE"},
        }) {
            assertThat(console.run("calendars", wrong[0], wrong[1]))
                    .isEqualTo(new CommandResult(wrong[0].equals("put") ? 2 : 3, "", "almanac: " + wrong[2] + "\n"));
        }
        assertThat(console.run("calendars", "put", "x", "Weakly", "days=1").err())
                .startsWith("almanac: the calendar was refused, nothing was written: ")
                .contains("Weakly", "Weekly");
        assertThat(console.run("calendars", "put", "x", "Weekly", "days=9").err())
                .contains("'9'");
        assertThat(console.run("calendars", "import", "x", "none.ics").err()).endsWith("none.ics does not exist\n");
        assertThat(console.run("calendars", "import", "x", file("x.ics", "BEGIN:VCALENDAR\n"))
                        .exit())
                .isEqualTo(2);
        assertThat(console.run("calendars", "import", "x", file("x.ics", ""), "--from", "soon")
                        .err())
                .isEqualTo("almanac: --from 'soon' is no date; write 2026-05-01\n");
        assertThat(console.run("calendars", "list").out()).doesNotContain("\nx ");
    }

    @Test
    @DisplayName("C6: an import overwrites no edit that was made since it has read the calendar")
    void importBesideAnEdit() throws IOException {
        String file = file("one.ics", CHRISTMAS);
        String[] again = {"calendars", "import", "days", file, "--from", "2100-01-01"};
        String refusal = "almanac: calendar 'days' was changed meanwhile, and nothing was written; run it again\n";
        String[] created = {"calendars", "put", "days", "Holiday", "exclude-dates=2099-05-01"};
        assertThat(console.runBesides(() -> console.run(created), again))
                .as("stored meanwhile")
                .isEqualTo(new CommandResult(1, "+ 2100-12-25\n", refusal));
        String[] edited = {"calendars", "put", "days", "Holiday", "exclude-dates=2099-05-01,2099-05-02"};
        assertThat(console.runBesides(() -> console.run(edited), again))
                .as("changed meanwhile")
                .isEqualTo(new CommandResult(1, "+ 2100-12-25\n", refusal));
        assertThat(console.run("calendars", "show", "days").out()).contains("2099-05-01,2099-05-02\n");
        assertThat(console.run(again).exit()).as("run again").isZero();
        assertThat(console.run("calendars", "show", "days").out()).contains("2099-05-01,2099-05-02,2100-12-25\n");
        String[] older = {"calendars", "import", "days", file, "--from", "2099-01-01", "--yes"};
        assertThat(console.runBesides(() -> console.run("calendars", "delete", "days"), older)
                        .err())
                .as("removed meanwhile")
                .isEqualTo(refusal);
        assertThat(console.run("calendars", "list").out()).isEqualTo("no calendars are stored\n");
        assertThat(console.runBesides(() -> console.run(again), again).exit())
                .as("the same import")
                .isZero();
    }

    @Test
    @DisplayName("C6: an import without dates does not remove all that are stored, unless --yes says so")
    void importOfNothing() throws IOException {
        console.run("calendars", "put", "days", "Holiday", "exclude-dates=2100-05-01");
        String empty = file("empty.ics", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//test//EN\nEND:VCALENDAR\n");
        CommandResult refused = console.run("calendars", "import", "days", empty);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .isEqualTo("almanac: nothing was written: the file has no dates from ####-##-## on, and 1 stored date"
                                .replace(
                                        "####-##-##",
                                        LocalDate.now(ZoneOffset.UTC).toString())
                        + " would be removed; add --yes if that is meant\n");
        assertThat(console.run("calendars", "show", "days").out()).contains("2100-05-01");
        assertThat(console.run("calendars", "import", "days", empty, "--dry-run")
                        .out())
                .contains("0 dates are added, 1 removed");
        assertThat(console.run("calendars", "import", "days", empty, "--yes").out())
                .startsWith("- 2100-05-01\ndays is version 2 now");
        console.run("calendars", "put", "days", "Holiday", "exclude-dates=2100-05-01,2100-05-02,2100-12-25");
        String outdated = file("old.ics", CHRISTMAS);
        assertThat(console.run("calendars", "import", "days", outdated, "--from", "2100-01-01")
                        .err())
                .contains("the file has 1 date from 2100-01-01 on, and 2 stored dates would be removed; add --yes");
        assertThat(console.run("calendars", "show", "days").out()).contains("2100-05-02");
    }

    @Test
    @DisplayName("C6: import --dry-run shows what it would change, and is refused as without it")
    void importDryRun() throws IOException {
        console.run("calendars", "put", "days", "Holiday", "exclude-dates=2100-05-01");
        String empty = file("empty.ics", "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//test//EN\nEND:VCALENDAR\n");
        String[] dry = {"calendars", "import", "days", empty, "--from", "2100-01-01", "--dry-run"};
        CommandResult refused = console.run(dry);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.out()).isEqualTo("- 2100-05-01\n0 dates are added, 1 removed; nothing was written\n");
        assertThat(refused.err())
                .isEqualTo("almanac: nothing was written: the file has no dates from 2100-01-01 on, and"
                        + " 1 stored date would be removed; add --yes if that is meant\n");
        console.run("calendars", "put", "weekly", "Weekly", "days=1");
        assertThat(console.run("calendars", "import", "weekly", empty, "--dry-run")
                        .exit())
                .isEqualTo(2);
        console.schedule("j", "--calendar", "days");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(new Document(), new Document("$push", new Document("calendars", "own")));
        CommandResult foreign =
                console.run("calendars", "import", "days", empty, "--from", "2100-01-01", "--yes", "--dry-run");
        assertThat(foreign.exit()).isEqualTo(2);
        assertThat(foreign.err()).contains("calendar 'days' cannot be edited here: job 'j' names it and 'own'");
    }

    @Test
    @DisplayName("8: import --json has all that the lines say: dates with their names, and events that are left out")
    void importJson() throws IOException {
        String file = file("days.ics", """
                BEGIN:VCALENDAR
                VERSION:2.0
                PRODID:-//test//test//EN
                BEGIN:VEVENT
                UID:a@test
                DTSTAMP:20260101T000000Z
                DTSTART;VALUE=DATE:21000501
                SUMMARY:Labour Day
                END:VEVENT
                BEGIN:VEVENT
                UID:hours@test
                DTSTAMP:20260101T000000Z
                DTSTART:21000502T100000Z
                END:VEVENT
                END:VCALENDAR
                """);
        String[] whole = {"calendars", "import", "days", file, "--from", "2100-01-01", "--json"};
        String facts = "\"added\":[\"2100-05-01\"],\"removed\":[],\"summaries\":{\"2100-05-01\":\"Labour Day\"},"
                + "\"leftOut\":[{\"uid\":\"hours@test\",\"reason\":\"";
        CommandResult dry =
                console.run("calendars", "import", "days", file, "--from", "2100-01-01", "--json", "--dry-run");
        assertThat(dry.out()).startsWith("{" + facts).endsWith("\"}],\"dryRun\":true}\n");
        assertThat(console.run(whole).out()).contains("\"changed\":true", facts);
    }

    @Test
    @DisplayName("R13: a text of a calendar's file that looks like a number is taken as it is written")
    void asWritten() throws IOException {
        String file = file("days.conf", "kind = Weekly, exclude-days = [1, 7], description = 2.50");
        assertThat(console.run("calendars", "put", "days", "--file", file).exit())
                .isZero();
        assertThat(console.run("calendars", "show", "days").out())
                .contains("description   2.50\n", "exclude-days  1,7");
    }

    @Test
    @DisplayName("C6: put --dry-run says whether the calendar is refused or changed, and writes nothing")
    void putDryRun() {
        String[] put = {"calendars", "put", "days", "Weekly", "days=1", "--dry-run"};
        assertThat(console.run(put).out()).isEqualTo("days would be stored; nothing was written (--dry-run)\n");
        assertThat(console.run("calendars", "list").out()).isEqualTo("no calendars are stored\n");
        console.run("calendars", "put", "days", "Weekly", "days=1");
        assertThat(console.run(put).out()).isEqualTo("days is stored already, nothing was changed\n");
    }
}
