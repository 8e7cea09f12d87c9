package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.ActionReport;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.FirstFire;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a form names is what it changes, once, and as its preview has shown. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormsTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Scheduler scheduler = fixture.scheduler;
    private final AtomicLong nanos = new AtomicLong();
    private MountedConsole console;

    /** Each look at its clock takes as long as an answer is cached for, so that each page shows what is stored by now. */
    @BeforeAll
    void mount() {
        console = fixture.mount(fixture.console()
                .allowChanges(true)
                .nanos(() -> nanos.addAndGet(20_000_000_000L))
                .access(request -> Optional.of(Viewer.operator("ann"))));
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    private static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .triggerCommand(new EncodedCommand("book", 1, Map.of()))
                .triggerIdentifier("id");
    }

    private void scheduled(String key) {
        scheduler.scheduleJob(
                job(key).singleSchedule(Instant.now().plusSeconds(36_000)).build());
    }

    private void recurring(String key) {
        scheduler.scheduleJob(job(key).schedulingSpecification("0 30 2 * * ?").build());
    }

    private Visitor visitor() {
        return new Visitor(console);
    }

    @Test
    @DisplayName(
            "attack: a job whose key has a turned part is cancelled, not the one whose key reads like its marked text")
    void lookalike() {
        scheduled("pay\u202Etxt.exe");
        scheduled("pay[U+202E]txt.exe");
        visitor().acts("pay\u202Etxt.exe", "CANCEL", "CR-1");
        assertThat(scheduler.findJobById("pay\u202Etxt.exe")).isEmpty();
        assertThat(scheduler.findJobById("pay[U+202E]txt.exe")).isPresent();
    }

    @Test
    @DisplayName("console: a job whose key has an emoji with a joiner is paused from its page and from the list")
    void joiner() {
        String key = "crew-\uD83D\uDC69\u200D\uD83D\uDE80";
        scheduled(key);
        assertThat(visitor().acts(key, "PAUSE", "CR-2").body()).contains("paused");
        assertThat(scheduler.findJobById(key).orElseThrow().pause().reason()).isEqualTo("CR-2");
        Visitor list = visitor().open("/jobs?prefix=" + Visitor.encoded(key));
        assertThat(list.form("id=\"f-prefix\"").value("prefix"))
                .as("the filter")
                .isEqualTo(key);
    }

    @Test
    @DisplayName("console: a calendar that is saved unchanged, or with another day, keeps every character of its texts")
    void calendar() {
        String note = "closed\u202E\u200D\u2028 \"quoted\\ \uD83D\uDC69\u200D\uD83D\uDE80";
        Map<String, Object> definition =
                Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY"), "description", note);
        scheduler.calendars().put("turned", definition);
        Visitor visitor = visitor().open("/calendars?name=turned");
        assertThat(visitor.body()).doesNotContain("\u202E").doesNotContain("[U+");
        Visitor.Form edit = visitor.form("id=\"definition\"");
        visitor.send(edit.with("definition", edit.value("definition").replace("SUNDAY", "MONDAY"))
                .with("do", "preview"));
        visitor.send(visitor.form("id=\"definition\"").with("do", "save").with("reason", "CR-3"));
        assertThat(visitor.body()).contains("ann (CR-3)");
        Map<String, Object> stored = scheduler.calendars().list().stream()
                .filter(calendar -> calendar.name().equals("turned"))
                .findFirst()
                .orElseThrow()
                .definition();
        assertThat(stored.get("exclude-days")).isEqualTo(List.of("MONDAY"));
        assertThat(stored.get("description")).isEqualTo(note);
    }

    @Test
    @DisplayName("40: a planned pause of a job is withdrawn on its page, but not another one that has taken its place")
    void withdrawn() {
        scheduled("blackout");
        Instant begin = Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
        scheduler.pause(PauseScope.job("blackout"), Pause.because("month end").from(begin));
        assertThat(visitor().acts("blackout", "WITHDRAW", "CR-5").body()).contains("its planned pause is withdrawn");
        assertThat(scheduler.findJobById("blackout").orElseThrow().pause()).isNull();
        assertThat(visitor().open("/job?key=blackout").body())
                .as("no pause is planned")
                .doesNotContain("WITHDRAW");
        scheduler.pause(PauseScope.job("blackout"), Pause.because("month end").from(begin));
        Visitor late = visitor().previews("blackout", "WITHDRAW");
        scheduler.pause(PauseScope.job("blackout"), Pause.because("audit").from(begin.plusSeconds(60)));
        late.send(late.confirmation("CR-6"));
        assertThat(scheduler.findJobById("blackout").orElseThrow().pause().reason())
                .isEqualTo("audit");
        scheduler.pause(PauseScope.job("blackout"), Pause.because("now"));
        assertThat(visitor().open("/job?key=blackout").body())
                .as("a pause in force")
                .contains("RESUME")
                .doesNotContain("WITHDRAW");
    }

    @Test
    @DisplayName("console: a form names a job, not its key: another job that has taken the key meanwhile is left alone")
    void successor() {
        scheduled("settled");
        Visitor visitor = visitor().previews("settled", "CANCEL");
        scheduler.cancelJob("settled");
        scheduled("settled");
        visitor.send(visitor.confirmation("CR-4"));
        assertThat(scheduler.findJobById("settled")).isPresent();
        assertThat(visitor.body()).contains("another job has this key now");
    }

    private long manualRuns(String key) {
        return scheduler.history(key).stream()
                .filter(row -> "CR-run".equals(row.reason()))
                .count();
    }

    @Test
    @DisplayName("console: what was done is shown by a page of its own, which can be loaded again and changes nothing")
    void redirected() {
        recurring("reload");
        Visitor visitor = visitor().previews("reload", "RUN_NOW");
        HttpResponse<String> answer = visitor.answer(visitor.confirmation("CR-run"));
        assertThat(answer.statusCode()).isEqualTo(303);
        String result = answer.headers().firstValue("Location").orElseThrow().substring(MountedConsole.PATH.length());
        for (int i = 0; i < 2; i++) {
            assertThat(visitor.open(result).body()).contains("What was done", "one run in addition to its plan");
        }
        assertThat(manualRuns("reload")).isEqualTo(1);
    }

    @Test
    @DisplayName("console: a form that is sent twice is carried out once, and shows the result of the first time")
    void twice() {
        recurring("double");
        Visitor visitor = visitor().previews("double", "RUN_NOW");
        Visitor.Form form = visitor.confirmation("CR-run");
        assertThat(visitor.send(form).body()).contains("What was done", "one run in addition");
        scheduler
                .as("bob", "CR-other")
                .apply(JobAction.pause(new Pause("x", "bob", null)), JobSelection.keys("double"));
        assertThat(visitor.send(form).body()).contains("What was done", "one run in addition");
        assertThat(manualRuns("double")).isEqualTo(1);
        visitor.previews("double", "RUN_NOW").send(visitor.confirmation("CR-run"));
        assertThat(manualRuns("double")).as("a new preview is a new operation").isEqualTo(2);
    }

    @Test
    @DisplayName("console: a confirmation without the id of a preview of this console changes nothing")
    void foreignOperation() {
        recurring("forged");
        for (String operation : List.of("", "none", "A".repeat(80))) {
            Visitor visitor = visitor().previews("forged", "RUN_NOW");
            visitor.send(visitor.confirmation("CR-run").with("operation", operation));
            assertThat(visitor.body()).doesNotContain("What was done");
            assertThat(manualRuns("forged")).isZero();
        }
        try (MountedConsole other = MountedConsole.of(fixture.console()
                .allowChanges(true)
                .access(request -> Optional.of(Viewer.operator("bob")))
                .build())) {
            Visitor bob = new Visitor(other).previews("forged", "RUN_NOW");
            String ofBob = bob.confirmation("x").value("operation");
            Visitor visitor = visitor().previews("forged", "RUN_NOW");
            visitor.send(visitor.confirmation("CR-run").with("operation", ofBob));
            assertThat(manualRuns("forged")).isZero();
        }
    }

    @Test
    @DisplayName(
            "console: a change that another user made after the preview is shown with both values, and not overwritten")
    void twoTabs() {
        recurring("shared");
        Visitor visitor = visitor().previews("shared", "UPDATE");
        visitor.send(
                visitor.form("name=\"confirmed\"").with("cron", "0 45 3 * * ?").with("confirmed", "no"));
        scheduler
                .as("bob", "CR-9")
                .apply(
                        JobAction.update(edit -> edit.schedulingSpecification("0 0 5 * * ?")),
                        JobSelection.keys("shared"));
        visitor.send(visitor.confirmation("CR-5"));
        assertThat(cron("shared")).isEqualTo("0 0 5 * * ?");
        assertThat(visitor.body())
                .contains("changed since", "bob", "CR-9", "0 30 2 * * ?", "0 0 5 * * ?", "0 45 3 * * ?")
                .contains("Nothing has been done yet")
                .doesNotContain("What was done");
        visitor.send(visitor.confirmation("CR-5"));
        assertThat(cron("shared"))
                .as("confirmed again, with that change in sight")
                .isEqualTo("0 45 3 * * ?");
    }

    @Test
    @DisplayName("console: the form of a change has the values of today; what several jobs do not share is left empty")
    void filled() {
        scheduler.scheduleJob(job("filled-1")
                .schedulingSpecification("0 30 2 * * ?")
                .zoneId("Europe/Brussels")
                .priority(3)
                .build());
        scheduler.scheduleJob(job("filled-2")
                .schedulingSpecification("0 45 2 * * ?")
                .zoneId("Europe/Brussels")
                .build());
        Visitor.Form form = visitor().previews("filled-1", "UPDATE").form("name=\"confirmed\"");
        assertThat(form.value("cron")).isEqualTo("0 30 2 * * ?");
        assertThat(form.value("zoneId")).isEqualTo("Europe/Brussels");
        assertThat(form.value("priority")).isEqualTo("3");
        Visitor visitor = visitor().open("/jobs?prefix=filled-");
        visitor.send(selected(visitor.form("data-all"), visitor.body()).with("do", "UPDATE"));
        form = visitor.form("name=\"confirmed\"");
        assertThat(form.value("cron")).isEmpty();
        assertThat(form.value("zoneId")).isEqualTo("Europe/Brussels");
        assertThat(form.value("priority")).isEmpty();
        scheduled("filled-once");
        assertThat(visitor().previews("filled-once", "UPDATE").body())
                .as("a one-off has no cron")
                .contains("id=\"zoneId\"")
                .doesNotContain("id=\"cron\"");
    }

    @Test
    @DisplayName(
            "console: before a schedule is changed, it is shown in words with its next five fires, beside that of today")
    void inWords() {
        recurring("worded");
        Visitor visitor = visitor().previews("worded", "UPDATE");
        assertThat(visitor.body()).contains("at 02:30 every day").doesNotContain("After the change");
        assertThat(fires(visitor.body(), "T02:30:00Z")).isEqualTo(5);
        visitor.send(visitor.form("name=\"confirmed\"")
                .with("cron", "0 45 3 ? * MON")
                .with("confirmed", "no"));
        assertThat(visitor.body()).contains("at 02:30 every day", "After the change", "at 03:45 on every Monday");
        assertThat(fires(visitor.body(), "T02:30:00Z")).isEqualTo(5);
        assertThat(fires(visitor.body(), "T03:45:00Z")).isEqualTo(5);
        visitor.send(
                visitor.form("name=\"confirmed\"").with("cron", "0 45 3 * *").with("confirmed", "no"));
        assertThat(visitor.body())
                .as("a wrong one")
                .contains("refused", "at 02:30 every day")
                .doesNotContain("T03:45:00Z");
        assertThat(cron("worded")).as("nothing was confirmed").isEqualTo("0 30 2 * * ?");
    }

    @Test
    @DisplayName("S1: the preview of another step counts it as the change does, from now")
    void anotherStep() {
        scheduler.scheduleJob(job("stepped").every(Duration.ofDays(10)).build());
        Visitor visitor = visitor().previews("stepped", "UPDATE");
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("jobSpecificationKey", "stepped"),
                        Updates.set("anchor", Date.from(Instant.now().minus(Duration.ofDays(4)))));
        visitor.send(visitor.form("name=\"confirmed\"").with("cron", "P9D").with("confirmed", "no"));
        String next = Instant.now().plus(Duration.ofDays(9)).toString().substring(0, 10);
        assertThat(visitor.body()).contains("After the change", next);
    }

    @Test
    @DisplayName("console: a form with the operation of another change is refused with a text, and does nothing")
    void operationOfAnotherChange() {
        recurring("crossed");
        Visitor pauses = pausing("tag:crossed");
        Visitor.Form confirmation =
                pauses.form("name=\"confirmed\"").with("confirmed", "yes").with("unknown", "yes");
        pauses.send(confirmation);
        assertThat(scheduler.pauses()).hasSize(1);
        Visitor visitor = visitor().previews("crossed", "PAUSE");
        visitor.send(visitor.confirmation("CR-2").with("operation", confirmation.value("operation")));
        assertThat(visitor.status()).isEqualTo(409);
        assertThat(visitor.body()).contains("sent before for another change");
        scheduler.resume(PauseScope.tag("crossed"));
    }

    @Test
    @DisplayName("S15: the preview of another schedule shows the fire at once of a job whose first fire is NOW")
    void atOnce() {
        scheduler.scheduleJob(job("eager")
                .schedulingSpecification("0 30 2 * * ?")
                .firstFire(FirstFire.NOW)
                .maxFires(3)
                .build());
        Visitor visitor = visitor().previews("eager", "UPDATE");
        visitor.send(visitor.form("name=\"confirmed\"")
                .with("cron", "0 45 3 ? * MON")
                .with("confirmed", "no"));
        assertThat(visitor.body()).contains("After the change");
        assertThat(fires(visitor.body(), "T03:45:00Z"))
                .as("one of the three is at once")
                .isEqualTo(2);
    }

    private static int fires(String body, String end) {
        return body.split("datetime=\"[-0-9]*" + end + "\"", -1).length - 1;
    }

    @Test
    @DisplayName("console: a value that was not edited is kept as others have made it, though the form had another one")
    void untouched() {
        recurring("kept");
        Visitor visitor = visitor().previews("kept", "UPDATE");
        visitor.send(visitor.form("name=\"confirmed\"").with("priority", "2").with("confirmed", "no"));
        scheduler
                .as("bob", "CR-9")
                .apply(
                        JobAction.update(edit -> edit.schedulingSpecification("0 0 5 * * ?")),
                        JobSelection.keys("kept"));
        visitor.send(visitor.confirmation("CR-5"));
        assertThat(visitor.body()).contains("Nothing has been done yet");
        assertThat(visitor.form("name=\"confirmed\"").value("cron")).isEqualTo("0 0 5 * * ?");
        visitor.send(visitor.confirmation("CR-5"));
        assertThat(cron("kept")).isEqualTo("0 0 5 * * ?");
        assertThat(scheduler.findJobById("kept").orElseThrow().specification().priority())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("console: if one job of a selection was changed since the preview, no job of the selection is changed")
    void selectionOfOthers() {
        recurring("many-1");
        recurring("many-2");
        Visitor visitor = visitor().open("/jobs?prefix=many-");
        Visitor.Form list = visitor.form("data-all");
        assertThat(list.sent()).as("nothing is selected").doesNotContain("job=");
        visitor.send(selected(list, visitor.body()).with("do", "PAUSE"));
        assertThat(visitor.body()).contains("2 of 2");
        scheduler.as("bob", "CR-9").apply(JobAction.update(edit -> edit.priority(1)), JobSelection.keys("many-2"));
        visitor.send(visitor.confirmation("CR-6"));
        for (String key : List.of("many-1", "many-2")) {
            assertThat(scheduler.findJobById(key).orElseThrow().pause()).as(key).isNull();
        }
        assertThat(visitor.body()).contains("1 of 2 jobs", "changed since", "priority: 4 -&gt; 1");
    }

    private static Visitor.Form selected(Visitor.Form form, String body) {
        java.util.regex.Matcher box = java.util.regex.Pattern.compile(
                        "type=\"checkbox\" name=\"(job|key)\" value=\"([^\"]*)\"")
                .matcher(body);
        while (box.find()) {
            form.and(box.group(1), box.group(2));
        }
        return form;
    }

    private String cron(String key) {
        return scheduler
                .findJobById(key)
                .orElseThrow()
                .specification()
                .schedulingSpecification()
                .orElseThrow();
    }

    private Visitor pausing(String scope) {
        Visitor visitor = visitor().open("/pauses");
        return visitor.send(visitor.form("id=\"other\"").with("other", scope).with("reason", "CR-7"));
    }

    @Test
    @DisplayName("console: a pause of a kind shows first how many jobs it affects, and of which applications")
    void kindOfJobs() {
        for (int i = 0; i < 7; i++) {
            scheduler.scheduleJob(job("tagged-" + i)
                    .tags("counted")
                    .applicationTag("app-" + i % 2)
                    .singleSchedule(Instant.now().plusSeconds(36_000))
                    .build());
        }
        Visitor visitor = visitor().open("/pauses");
        assertThat(visitor.body()).contains("value=\"type:book\"", "value=\"everything\"");
        visitor = pausing("tag:counted");
        assertThat(visitor.body())
                .contains("Nothing has been paused yet", "Affects 7 live jobs", "app-0, app-1", "tagged-0");
        assertThat(scheduler.pauses()).isEmpty();
        Visitor.Form form = visitor.form("name=\"confirmed\"").with("confirmed", "yes");
        assertThat(visitor.send(form).body()).contains("tag:counted", "CR-7");
        assertThat(scheduler.pauses()).hasSize(1);
        scheduler.resume(PauseScope.tag("counted"));
        visitor.send(form);
        assertThat(scheduler.pauses()).as("the same form once more").isEmpty();
    }

    @Test
    @DisplayName("S18: the console plans a pause, lists it as planned, and withdraws it; the one in force stays")
    void plannedPause() {
        scheduled("planned");
        scheduler.pause(PauseScope.everything(), Pause.because("now"));
        Visitor visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"")
                .with("other", "everything")
                .with("reason", "CR-8")
                .with("from", "2100-05-01T12:00:00Z")
                .with("until", "2100-05-01T13:00:00Z"));
        assertThat(visitor.body()).contains("datetime=\"2100-05-01T12:00:00Z\"", "datetime=\"2100-05-01T13:00:00Z\"");
        visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes"));
        Instant begin = Instant.parse("2100-05-01T12:00:00Z");
        assertThat(scheduler.plannedPauses())
                .singleElement()
                .satisfies(pause ->
                        assertThat(pause.pause()).isEqualTo(new Pause("CR-8", "ann", begin, begin.plusSeconds(3_600))));
        assertThat(scheduler.pauses()).hasSize(1);
        visitor = visitor().open("/pauses");
        assertThat(visitor.body()).contains("planned", "2100-05-01", "CR-8");
        visitor.send(visitor.form("Withdraw the planned pause of everything").with("reason", "CR-9"));
        assertThat(scheduler.plannedPauses()).isEmpty();
        assertThat(scheduler.pauses()).as("the one in force").hasSize(1);
        scheduler.resume(PauseScope.everything());
        visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"")
                .with("other", "everything")
                .with("reason", "CR-8")
                .with("from", "2020-05-01T12:00:00Z"));
        assertThat(visitor.body()).contains("has passed");
        assertThat(scheduler.pauses()).isEmpty();
    }

    @Test
    @DisplayName("console: a pause of a tag, type or node that does not exist is made only if that is confirmed")
    void unknownKind() {
        for (String scope : List.of("tag:none", "type:none", "node:none")) {
            Visitor visitor = pausing(scope);
            assertThat(visitor.body()).contains("Affects 0 live");
            visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes"));
            assertThat(visitor.body()).contains("confirm that it is meant");
            assertThat(scheduler.pauses()).as(scope).isEmpty();
            visitor.send(
                    visitor.form("name=\"confirmed\"").with("confirmed", "yes").with("unknown", "yes"));
            assertThat(scheduler.pauses()).as(scope).hasSize(1);
            scheduler.resume(PauseScope.parse(scope));
        }
    }

    @Test
    @DisplayName("console: everything is paused only after a preview, which shows how many jobs that affects")
    void everything() {
        scheduled("one-of-all");
        Visitor visitor = pausing("everything");
        assertThat(visitor.body()).containsPattern("Affects \\d+ live jobs?: every job");
        assertThat(scheduler.pauses()).isEmpty();
        visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes"));
        assertThat(scheduler.pauses()).hasSize(1);
        scheduler.resume(PauseScope.everything());
    }

    private void claimed(String key, String node, long token) {
        Instant until = Instant.now().plusSeconds(600);
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("activeKey", key),
                        Updates.set(
                                "lease",
                                new Document("owner", node)
                                        .append("token", token)
                                        .append("until", Date.from(until))));
    }

    private @Nullable Lease lease(String key) {
        return fixture.store().find(key, FindScope.LIVE).orElseThrow().lease();
    }

    @Test
    @DisplayName("console: the claim that was shown is released; another one that has taken its place stays")
    void release() {
        scheduled("held");
        claimed("held", "node-one", 7);
        Visitor visitor = visitor().previews("held", "RELEASE");
        assertThat(visitor.body()).as("whose claim it is").contains("node-one");
        claimed("held", "node-two", 8);
        visitor.send(visitor.confirmation("CR-1"));
        assertThat(Objects.requireNonNull(lease("held")).token())
                .as("the claim of the other node")
                .isEqualTo(8);
        assertThat(visitor.body()).contains("unchanged", "the claim that was named is over");
        visitor().acts("held", "RELEASE", "CR-2");
        assertThat(lease("held")).isNull();
    }

    @Test
    @DisplayName("S18: each pause of a kind is ended by its own row, and no other pause with it")
    void oneOfTwoPauses() {
        scheduled("twice-paused");
        PauseScope scope = PauseScope.tag("two-pauses");
        Instant begun = Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.MILLIS);
        scheduler.pause(scope, Pause.because("disk").from(begun));
        scheduler.pause(scope, Pause.because("audit"));
        Visitor visitor = visitor().open("/pauses?sort=force.reason");
        visitor.send(visitor.form("Reason to resume tag:two-pauses").with("reason", "CR-3"));
        assertThat(reasons()).containsExactly("disk");
        visitor.send(visitor.form("Reason to resume tag:two-pauses").with("reason", "CR-3"));
        assertThat(reasons()).isEmpty();
    }

    @Test
    @DisplayName("console: a page that is old does not end the pause that has taken the place of the one it shows")
    void anotherPause() {
        scheduled("paused-anew");
        PauseScope scope = PauseScope.tag("anew");
        scheduler.pause(scope, Pause.because("first"));
        Visitor visitor = visitor().open("/pauses");
        Visitor.Form old = visitor.form("Reason to resume tag:anew").with("reason", "CR-4");
        scheduler.resume(scope);
        scheduler.pause(scope, Pause.because("second"));
        assertThat(visitor.send(old).body()).contains("is another pause now, or none");
        assertThat(scheduler.pauses())
                .extracting(pause -> pause.pause().reason())
                .containsExactly("second");
        scheduler.resume(scope);
    }

    @Test
    @DisplayName("console: a pause in whose place another one comes is named, and replaced only if that is confirmed")
    void replacedPause() {
        scheduler.scheduleJob(job("replaced")
                .tags("replaced")
                .singleSchedule(Instant.now().plusSeconds(36_000))
                .build());
        PauseScope scope = PauseScope.tag("replaced");
        scheduler.pause(scope, new Pause("the audit", "bob", null));
        Visitor visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"").with("other", "tag:replaced").with("reason", "CR-7"));
        assertThat(visitor.body()).contains("the audit", "bob");
        visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes"));
        assertThat(visitor.body()).contains("Nothing was paused");
        assertThat(reasons()).containsExactly("the audit");
        scheduler.pause(scope, new Pause("the audit goes on", "bob", null));
        visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes").with("replace", "yes"));
        assertThat(visitor.body()).as("it has changed").contains("Nothing was paused", "the audit goes on");
        assertThat(reasons()).containsExactly("the audit goes on");
        visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes").with("replace", "yes"));
        assertThat(reasons()).containsExactly("CR-7");
        scheduler.resume(scope);
    }

    private List<String> reasons() {
        return scheduler.pauses().stream().map(pause -> pause.pause().reason()).toList();
    }

    @Test
    @DisplayName("S18: a pause whose end has passed is refused, and does not end the pause in force")
    void overBeforeItBegins() {
        scheduled("over");
        scheduler.pause(PauseScope.job("over"), Pause.because("now"));
        Instant past = Instant.now().minusSeconds(60);
        assertThatThrownBy(() -> scheduler.pause(PauseScope.job("over"), new Pause("x", "", past)))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("has passed");
        assertThat(scheduler
                        .apply(JobAction.pause(new Pause("x", "ann", past)), JobSelection.keys("over"))
                        .items())
                .singleElement()
                .satisfies(item -> assertThat(item.result()).isEqualTo(ActionReport.Result.REFUSED));
        assertThat(scheduler.findJobById("over").orElseThrow().pause().reason()).isEqualTo("now");
        PauseScope scope = PauseScope.tag("over");
        scheduler.pause(scope, Pause.because("now"));
        assertThatThrownBy(() -> scheduler.pause(scope, new Pause("x", "", past)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has passed");
        assertThat(reasons()).containsExactly("now");
        scheduler.resume(scope);
        Visitor visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"")
                .with("other", "tag:over")
                .with("reason", "CR-8")
                .with("until", "2020-05-01T12:00:00Z"));
        assertThat(visitor.body()).contains("has passed").doesNotContain("Nothing has been paused yet");
    }

    @ParameterizedTest
    @CsvSource({
        "tag:night, CR-8, 2020-05-01T12:00, 2h, from '2020-05-01T12:00' has passed",
        "tag:night, CR-8, '', 2020-05-01, until '2020-05-01' has passed",
        "tag:night, CR-8, 30m, tomorow, until 'tomorow' is no moment",
        "tag:night, CR-8, 2h, 1h, holds nothing",
        "tag:night, CR-8, 15m, 15m, holds nothing",
        "tga:night, CR-8, 30m, 2h, tga:night",
        "tag:night, '', 30m, 2h, A reason is required",
    })
    @DisplayName("O6: a pause that is refused names what was refused, and stays in its form as it was typed")
    void refusedPauseStays(String other, String reason, String from, String until, String problem) {
        Visitor visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"")
                .with("other", other)
                .with("reason", reason)
                .with("from", from)
                .with("until", until));
        assertThat(visitor.status()).isEqualTo(200);
        assertThat(Visitor.unescaped(visitor.body())).contains(problem);
        Visitor.Form form = visitor.form("id=\"other\"");
        assertThat(List.of("scope", "other", "reason", "from", "until"))
                .extracting(form::value)
                .containsExactly("", other, reason, from, until);
        assertThat(scheduler.plannedPauses()).isEmpty();
        assertThat(visitor.open("/pauses").form("id=\"other\"").value("other"))
                .as("a form that nobody has sent")
                .isEmpty();
    }

    @Test
    @DisplayName("O6: what was chosen stays chosen in a pause that is refused, also as its confirmation names it")
    void refusedChoiceStays() {
        Visitor visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"").with("scope", "everything").with("from", "2020-05-01"));
        assertThat(visitor.form("id=\"other\"").value("scope")).isEqualTo("everything");
        visitor.open("/pauses")
                .send(visitor.form("id=\"other\"").with("other", "tag:kept").with("reason", "CR-7"));
        visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes").with("from", "2020-05-01T12:00:00Z"));
        Visitor.Form form = visitor.form("id=\"other\"");
        assertThat(List.of("scope", "other", "reason", "from"))
                .extracting(form::value)
                .containsExactly("", "tag:kept", "CR-7", "2020-05-01T12:00:00Z");
    }

    @Test
    @DisplayName("O6: a resume that is refused leaves the form of a new pause empty")
    void refusedResume() {
        PauseScope scope = PauseScope.tag("resumed");
        scheduler.pause(scope, Pause.because("audit"));
        Visitor visitor = visitor().open("/pauses");
        Visitor.Form resume = visitor.form("Resume tag:resumed").with("reason", "CR-8");
        scheduler.resume(scope);
        visitor.send(resume);
        Visitor.Form form = visitor.form("id=\"other\"");
        assertThat(List.of("scope", "other", "reason", "from", "until"))
                .extracting(form::value)
                .containsOnly("");
    }

    @ParameterizedTest
    @CsvSource({
        "/jobs?from=tomorow, from 'tomorow' is no moment",
        "/jobs?until=%1B%5B1m, until '\\u001b[1m' is no moment",
        "/jobs?state=FALED, state 'FALED' is no state",
        "/jobs?state=%3Cb%3E, state '<b>' is no state",
        "/failures?since=lately, since 'lately' is no moment",
        "/failures?jobs=-1, jobs '-1' is no number",
        "/forecast?next=900d, next '900d' is not within 1d to 400d",
        "/forecast?kind=ODD, kind 'ODD' is no kind",
        "/day?date=2026-13-40, date '2026-13-40' is no day",
        "/calendars?name=any&year=66666, year '66666' is not within",
    })
    @DisplayName("O6: a value that a page refuses is named, with what is expected")
    void refusedValue(String address, String problem) {
        Visitor visitor = visitor().open(address);
        assertThat(visitor.status()).isEqualTo(400);
        assertThat(Visitor.unescaped(visitor.body())).contains(problem);
        assertThat(visitor.body()).doesNotContain("\u001b", "'<b>'");
    }

    @Test
    @DisplayName(
            "C5, console: an edit of a version that another user has replaced says so, before its effects are shown")
    void replacedCalendar() {
        scheduler.calendars().put("shared-days", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        Visitor visitor = visitor().open("/calendars?name=shared-days");
        Visitor.Form edit = visitor.form("id=\"definition\"");
        edit.with("definition", edit.value("definition").replace("SUNDAY", "MONDAY"));
        scheduler
                .as("bob", "CR-8")
                .calendars()
                .put("shared-days", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY", "FRIDAY")));
        visitor.send(edit.with("do", "preview"));
        assertThat(visitor.body())
                .contains("changed since this edit began", "version 2", "bob")
                .doesNotContain("Save this edit");
        visitor.send(visitor.form("id=\"definition\"").with("do", "preview"));
        assertThat(visitor.body()).as("with that edit in sight").contains("Save this edit");
    }

    @Test
    @DisplayName("C5: a calendar that code declares is the one that is shown, also if one of its name is stored")
    void declaredCalendar() {
        Map<String, Object> stored = Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY"));
        scheduler.calendars().put("both", stored);
        Visitor visitor = new Visitor(fixture.mount(fixture.console()
                        .allowChanges(true)
                        .calendar("both", CalendarDefinition.of(stored).calendar())
                        .access(request -> Optional.of(Viewer.operator("ann")))))
                .open("/calendars?name=both");
        assertThat(visitor.body()).contains("declared in code").doesNotContain("id=\"definition\"");
    }

    @Test
    @DisplayName("C5, console: the preview of an edit shows the days of which another part is excluded")
    void anotherPart() {
        scheduler.calendars().put("nights", Map.of("kind", "cron", "exclude-expression", "* 15-29 10 ? * *"));
        Visitor visitor = visitor().open("/calendars?name=nights");
        Visitor.Form edit = visitor.form("id=\"definition\"");
        visitor.send(edit.with("definition", edit.value("definition").replace("15-29 10", "45-59 10"))
                .with("do", "preview"));
        assertThat(visitor.body()).contains("366 would change", "excluded in part, at other times");
    }

    @Test
    @DisplayName(
            "C5, console: after an edit the page says how many jobs have another next fire, and how many are blocked")
    void whatAnEditDid() {
        scheduler.calendars().put("one-day", Map.of("kind", "weekly", "exclude-days", List.of("MONDAY")));
        for (String day : List.of("SUN", "SAT")) {
            scheduler.scheduleJob(job("only-" + day)
                    .schedulingSpecification("0 0 12 ? * " + day)
                    .calendar("one-day")
                    .build());
        }
        Visitor visitor = visitor().open("/calendars?name=one-day");
        Visitor.Form edit = visitor.form("id=\"definition\"");
        visitor.send(edit.with("definition", edit.value("definition").replace("MONDAY", "SUNDAY"))
                .with("do", "preview"));
        visitor.send(visitor.form("id=\"definition\"").with("do", "save").with("reason", "CR-9"));
        assertThat(visitor.body())
                .contains("version 2 now; of the 2 jobs that use it, 1 have another next fire")
                .contains("1 jobs have no fire left and are blocked")
                .doesNotContain("The next fires of the jobs that use it are planned again");
    }

    @Test
    @DisplayName("S2, console: the preview of another schedule says that the fire that has passed runs first")
    void passedFire() {
        recurring("overdue");
        Date passed = Date.from(Instant.now().minusSeconds(30).truncatedTo(ChronoUnit.SECONDS));
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("jobSpecificationKey", "overdue"),
                        Updates.combine(Updates.set("nextFireTime", passed), Updates.set("due", passed)));
        Visitor visitor = visitor().previews("overdue", "UPDATE");
        visitor.send(visitor.form("name=\"confirmed\"")
                .with("cron", "0 45 3 ? * MON")
                .with("confirmed", "no"));
        assertThat(visitor.body())
                .contains("After the change")
                .contains("its fire of " + passed.toInstant() + " has passed, and runs first");
        visitor.send(visitor.confirmation("CR-1"));
        assertThat(visitor.body()).contains("its fire of " + passed.toInstant() + " has passed, and runs first");
        assertThat(fixture.store()
                        .find("overdue", FindScope.LIVE)
                        .orElseThrow()
                        .plan()
                        .nextFireTime())
                .isEqualTo(passed.toInstant());
    }

    @Test
    @DisplayName(
            "console: the preview of the pause of a type says that it holds failure commands of that type, which a node runs")
    void typeOfFailureCommands() {
        Instant now = Instant.now();
        NodeReport node = new NodeReport(
                "alerts", "alerts-host", now, now.plusSeconds(600), "2026a", Duration.ZERO, Set.of("send-alert"), 0);
        fixture.store().cluster().report(node, now.minusSeconds(60));
        Visitor visitor = pausing("type:send-alert");
        assertThat(visitor.body())
                .contains("Affects 0 live jobs", "Failure commands of this type")
                .doesNotContain("Nothing is of this kind now");
        assertThat(pausing("tag:send-alert").body())
                .contains("Nothing is of this kind now")
                .doesNotContain("Failure commands of this type");
    }

    @Test
    @DisplayName(
            "console: a pause ends at the moment that its preview has shown, in whichever zone other pages are shown")
    void zoneOfAnotherPage() {
        scheduled("zoned");
        Visitor visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"")
                .with("other", "everything")
                .with("reason", "CR-7")
                .with("until", "2100-05-01T12:00"));
        assertThat(visitor.body()).contains("datetime=\"2100-05-01T12:00:00Z\"");
        Visitor.Form confirmation = visitor.form("name=\"confirmed\"").with("confirmed", "yes");
        visitor.send(visitor.form("name=\"zone\"").with("zone", "America/New_York"));
        visitor.send(confirmation);
        Instant end = Instant.parse("2100-05-01T12:00:00Z");
        assertThat(scheduler.pauses())
                .singleElement()
                .satisfies(pause -> assertThat(pause.pause().until()).isEqualTo(end));
        scheduler.resume(PauseScope.everything());
        Visitor one = visitor().previews("zoned", "PAUSE");
        confirmation = one.confirmation("CR-8").with("until", "2100-05-01T12:00");
        one.send(one.form("name=\"zone\"").with("zone", "America/New_York"));
        one.send(confirmation);
        assertThat(one.body()).contains("datetime=\"2100-05-01T12:00:00Z\"");
        assertThat(scheduler.findJobById("zoned").orElseThrow().pause().until()).isEqualTo(end);
    }

    @Test
    @DisplayName(
            "40: an action on all jobs that match is for the moments that its list had, in whichever zone, and whenever")
    void momentsOfTheList() {
        scheduled("listed");
        Visitor visitor = visitor().open("/jobs?prefix=listed&from=0s&until=2100-05-01T12:00");
        Visitor.Form action = visitor.form("name=\"all\"").with("do", "PAUSE");
        visitor.send(visitor.form("name=\"zone\"").with("zone", "America/New_York"));
        visitor.send(action);
        assertThat(visitor.body())
                .contains("1 job matches", "prefix=listed, from=", ", until=2100-05-01T12:00:00Z</bdi>")
                .doesNotContain("from=0s,");
        assertThat(visitor.open("/jobs?prefix=listed&from=0s&until=90d").body())
                .as("for people, as it was typed")
                .contains("prefix=listed, from=0s, until=90d");
    }

    @Test
    @DisplayName(
            "console: the preview of a pause of jobs that comes back keeps the moment that was typed, in whichever zone other pages are shown, and shows it")
    void endThatComesBack() {
        Instant end = Instant.parse("2100-05-01T12:00:00Z");
        for (boolean filter : List.of(false, true)) {
            String key = filter ? "back-of-filter" : "back-of-one";
            scheduled(key);
            Visitor visitor = visitor();
            if (filter) {
                visitor.open("/jobs?prefix=" + key)
                        .send(visitor.form("name=\"all\"").with("do", "PAUSE"));
            } else {
                visitor.previews(key, "PAUSE");
            }
            Visitor.Form form = visitor.confirmation("").with("until", "2100-05-01T12:00");
            visitor.send(visitor.form("name=\"zone\"").with("zone", "America/New_York"));
            visitor.send(form);
            assertThat(visitor.body())
                    .as(key)
                    .contains("A reason is required", "Until <time datetime=\"2100-05-01T12:00:00Z\"");
            HttpResponse<String> answer = visitor.answer(visitor.confirmation("CR-8"));
            assertThat(answer.statusCode()).isEqualTo(303);
            await().atMost(Browser.PATIENCE)
                    .until(() -> scheduler.findJobById(key).orElseThrow().pause() != null);
            assertThat(scheduler.findJobById(key).orElseThrow().pause().until())
                    .as(key)
                    .isEqualTo(end);
        }
    }

    @Test
    @DisplayName("S18: a pause that the console plans begins at a whole second, as the command line plans it")
    void plannedToTheSecond() {
        Visitor visitor = visitor().open("/pauses");
        for (String typed : List.of("30m", "2100-05-01T12:00:00.250Z")) {
            visitor.send(visitor.form("id=\"other\"")
                    .with("other", "everything")
                    .with("reason", "CR-7")
                    .with("from", typed));
            visitor.send(visitor.form("name=\"confirmed\"").with("confirmed", "yes"));
            visitor.open("/pauses");
        }
        assertThat(scheduler.plannedPauses())
                .extracting(pause -> pause.pause().from())
                .hasSize(2)
                .contains(Instant.parse("2100-05-01T12:00:00Z"))
                .allMatch(begin -> begin.getNano() == 0);
        scheduler.plannedPauses().forEach(scheduler::resume);
    }

    @Test
    @DisplayName(
            "console: a pause of a kind begins and ends at the moments that its preview has shown, also if they were typed as times from now")
    void timesFromNow() {
        Visitor visitor = visitor().open("/pauses");
        visitor.send(visitor.form("id=\"other\"")
                .with("other", "everything")
                .with("reason", "CR-7")
                .with("from", "30m")
                .with("until", "2h"));
        Visitor.Form confirmation = visitor.form("name=\"confirmed\"").with("confirmed", "yes");
        assertThat(visitor.body())
                .contains(
                        "From <time datetime=\"" + confirmation.value("from") + "\"",
                        "Until <time datetime=\"" + confirmation.value("until") + "\"");
        visitor.send(confirmation);
        assertThat(scheduler.plannedPauses()).singleElement().satisfies(pause -> {
            assertThat(pause.pause().from()).isEqualTo(confirmation.value("from"));
            assertThat(pause.pause().until()).isEqualTo(confirmation.value("until"));
        });
        visitor.open("/pauses")
                .send(visitor.form("Withdraw the planned pause of everything").with("reason", "CR-9"));
        assertThat(scheduler.plannedPauses()).isEmpty();
    }

    @Test
    @DisplayName("console: the result of a pause that was refused for all jobs names no end")
    void endOfNoPause() {
        scheduled("ended");
        Visitor visitor = visitor().previews("ended", "PAUSE");
        visitor.send(visitor.confirmation("CR-8").with("until", "2020-05-01T12:00:00Z"));
        assertThat(visitor.body())
                .contains("What was done", "refused", "has passed")
                .doesNotContain("Until <time");
        visitor.previews("ended", "PAUSE").send(visitor.confirmation("CR-8").with("until", "2h"));
        assertThat(visitor.body()).contains("What was done", "Until <time");
    }

    private void openFailures(String key, int count) {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("activeKey", key), Updates.set("failuresInARow", count));
    }

    private int openFailures(String key) {
        return fixture.store().find(key, FindScope.LIVE).orElseThrow().plan().failuresInARow();
    }

    @Test
    @DisplayName(
            "S19: an acknowledgement closes the failures that its preview has shown; one that came since stays open")
    void acknowledged() {
        recurring("failing");
        openFailures("failing", 2);
        Visitor visitor = visitor().previews("failing", "ACKNOWLEDGE");
        assertThat(visitor.body()).contains("its 2 failures are acknowledged");
        openFailures("failing", 3);
        visitor.send(visitor.confirmation("CR-1"));
        assertThat(visitor.body()).contains("refused", "has failed again");
        assertThat(openFailures("failing")).isEqualTo(3);
        visitor().acts("failing", "ACKNOWLEDGE", "CR-2");
        assertThat(openFailures("failing")).isZero();
    }

    /** As a run that ends meanwhile does, whose failure pauses the job: its version stays. */
    private void failsInPause(String key) {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("activeKey", key),
                        Updates.combine(
                                Updates.set("failuresInARow", 1),
                                Updates.set("paused.author", "pauseAfterFailures"),
                                Updates.set("paused.reason", "1 fire has failed")));
    }

    @Test
    @DisplayName("S18 S19: a resume ends the pause that its preview has shown, with author and reason, and no other")
    void seenPause() {
        recurring("audited");
        scheduler.as("bob", "audit").pause(PauseScope.job("audited"), Pause.because("audit"));
        Visitor visitor = visitor().previews("audited", "RESUME");
        assertThat(visitor.body()).contains("resumed: the pause by bob: audit").doesNotContain("open failure");
        failsInPause("audited");
        visitor.send(visitor.confirmation("CR-1"));
        assertThat(visitor.body())
                .contains("Nothing was done", "its pause was replaced by that of pauseAfterFailures: 1 fire has failed")
                .contains("resumed: the pause by pauseAfterFailures", "its open failure is closed")
                .doesNotContain("What was done");
        assertThat(scheduler.findJobById("audited").orElseThrow().pause()).isNotNull();
        assertThat(openFailures("audited")).isEqualTo(1);
        visitor.send(visitor.confirmation("CR-2"));
        assertThat(visitor.body()).contains("What was done", "1 of 1");
        assertThat(scheduler.findJobById("audited").orElseThrow().pause()).isNull();
        assertThat(openFailures("audited")).isZero();
    }

    @Test
    @DisplayName(
            "S19: a resume closes the failures that its preview has shown; with one that came since it does nothing")
    void failureSinceResume() {
        recurring("held");
        scheduler.as("bob", "audit").pause(PauseScope.job("held"), Pause.because("audit"));
        openFailures("held", 2);
        Visitor visitor = visitor().previews("held", "RESUME");
        assertThat(visitor.body()).contains("its 2 open failures are closed");
        openFailures("held", 3);
        visitor.send(visitor.confirmation("CR-1"));
        assertThat(visitor.body()).contains("refused", "has failed again");
        assertThat(scheduler.findJobById("held").orElseThrow().pause()).isNotNull();
        assertThat(openFailures("held")).isEqualTo(3);
        visitor().acts("held", "RESUME", "CR-2");
        assertThat(scheduler.findJobById("held").orElseThrow().pause()).isNull();
        assertThat(openFailures("held")).isZero();
    }

    @Test
    @DisplayName(
            "S18: a pause that will be refused is refused by its preview; a form that was refused says so each time")
    void ambiguousNode() {
        // they end with this test: a node would plan again what other tests edit
        try (Scheduler one = twin();
                Scheduler other = twin()) {
            one.start();
            other.start();
            Visitor visitor = visitor().open("/pauses");
            await().atMost(Browser.PATIENCE)
                    .until(() -> visitor.open("/nodes").body().split("twin", -1).length > 2);
            visitor.open("/pauses");
            visitor.send(
                    visitor.form("id=\"other\"").with("other", "everything").with("reason", "CR-7"));
            Visitor.Form asked = visitor.form("name=\"confirmed\"")
                    .with("scope", "node:twin")
                    .with("confirmed", "yes");
            for (int i = 0; i < 2; i++) {
                visitor.send(asked);
                assertThat(visitor.status()).isEqualTo(200);
                assertThat(visitor.body()).contains("2 live nodes have that label");
            }
            visitor.send(asked.without("confirmed"));
            assertThat(visitor.body())
                    .as("its preview")
                    .contains("2 live nodes have that label")
                    .doesNotContain("Nothing has been paused yet");
        }
        assertThat(reasons()).isEmpty();
    }

    private Scheduler twin() {
        return fixture.scheduler(
                ControlledHelper.types(Scheduler.builder()).label("twin").helper(new ControlledHelper()));
    }

    @Test
    @DisplayName(
            "C5, console: a calendar that was removed after its preview is not created again, and the page says so")
    void removedCalendar() {
        Map<String, Object> definition = Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY"));
        scheduler.calendars().put("gone", definition);
        Visitor visitor = visitor().open("/calendars?name=gone");
        Visitor.Form edit = visitor.form("id=\"definition\"");
        visitor.send(edit.with("definition", edit.value("definition").replace("SUNDAY", "MONDAY"))
                .with("do", "preview"));
        Visitor.Form save = visitor.form("id=\"definition\"").with("do", "save").with("reason", "CR-9");
        scheduler.calendars().delete("gone");
        visitor.send(save);
        assertThat(scheduler.calendars().list())
                .noneMatch(calendar -> calendar.name().equals("gone"));
        assertThat(visitor.body())
                .as("says so, and keeps what was typed")
                .contains("it was removed since this edit began; nothing was stored", "MONDAY");
    }
}
