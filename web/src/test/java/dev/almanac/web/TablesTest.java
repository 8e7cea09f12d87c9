package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.Scheduler;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that are sorted within what was read, and the links between a job and its follow-ups. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TablesTest {
    private static final Pattern HEAD = Pattern.compile("<th scope=\"col\"[^>]*>(.*?)</th>", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("href=\"[^\"]*/ops/almanac([^\"]*)\"");
    private static final Pattern ROW = Pattern.compile("<th scope=\"row\"><a[^>]*><bdi>([^<]*)</bdi>");
    private static final Pattern FIELD = Pattern.compile("<th scope=\"row\">([a-zA-Z]+)</th>");

    /** Columns that cannot be sorted. */
    private static final Set<String> UNSORTED = Set.of("What", "Types", "Labels", "Value");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final ControlledHelper helper = new ControlledHelper();
    private final Scheduler scheduler = fixture.scheduler(ControlledHelper.types(Scheduler.builder()));
    private MountedConsole mounted;

    @BeforeAll
    void start() {
        scheduler.pause(PauseScope.tag("legacy"), new Pause("the old bank is closed", "ann", null));
        scheduler.groups().put("bank-api", new GroupLimits(5, null));
        for (String key : List.of("b", "a", "c")) {
            scheduler.scheduleJob(job("late-" + key, "ends")
                    .tags("legacy")
                    .singleSchedule(Instant.now().minusSeconds(20))
                    .build());
        }
        scheduler.scheduleJob(
                job("lasting", "lasts").singleSchedule(Instant.now()).build());
        scheduler.scheduleJob(
                job("hourly", "ends").schedulingSpecification("0 0 * * * ?").build());
        scheduler.apply(
                JobAction.update(job -> job.priority(2).zoneId("Europe/Brussels")), JobSelection.keys("hourly"), false);
        scheduler
                .as("ann", "INC-7")
                .apply(JobAction.update(job -> {}).pinned("schedulingSpecification"), JobSelection.keys("hourly"));
        scheduler.scheduleJob(job("invoice", "ends")
                .singleSchedule(Instant.now())
                .onSuccess(JobSpecification.now("{key} confirmed", new ControlledHelper.Report("ends", "x")))
                .onFailure(JobSpecification.now("{key} failed", new ControlledHelper.Report("ends", "x")))
                .build());
        fixture.scheduler(ControlledHelper.types(Scheduler.builder())
                        .helper(helper)
                        .label("node-1"))
                .start();
        await().atMost(Browser.PATIENCE)
                .until(() -> scheduler.findJobById("lasting").orElseThrow().runningOn() != null);
        await().atMost(Browser.PATIENCE)
                .until(() -> !scheduler.history("invoice confirmed").isEmpty());
        await().atMost(Browser.PATIENCE)
                .until(() -> scheduler.history("invoice").get(0).executionStatus() == ExecutionStatus.TRIGGERED);
        mounted = fixture.mount(fixture.console()
                .metrics(() -> "a_total{x=\"1\"} 12.0\nb_total 3.0\n")
                .access(request -> Optional.of(Viewer.reader("ann"))));
    }

    private static JobSpecificationBuilder job(String key, String kind) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .triggerCommand(new ControlledHelper.Payment(kind, "BE71", 1))
                .triggerIdentifier(key);
    }

    @AfterAll
    void stop() {
        helper.end();
        fixture.close();
    }

    private String page(String path) {
        var answer = mounted.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private static List<String> heads(String page) {
        return HEAD.matcher(page).results().map(MatchResult::group).toList();
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("20: each column of each table sorts what was read, first one way, then the other")
    @CsvSource({"/, 12", "/jobs, 7", "/job?key=hourly, 9", "/nodes, 8", "/pauses, 9", "/metrics, 1"})
    void columns(String path, int columns) {
        Set<String> fixed = new TreeSet<>();
        int sorting = 0;
        for (String head : heads(page(path))) {
            var link = LINK.matcher(head);
            if (!link.find()) {
                fixed.add(head.replaceAll("<[^>]*>", ""));
                continue;
            }
            sorting++;
            String up = link.group(1).replace("&amp;", "&").replaceAll("#.*", "");
            assertThat(up).contains("sort=");
            String other = ordered(up, "ascending");
            ordered(other, "descending");
        }
        assertThat(sorting).isEqualTo(columns);
        assertThat(UNSORTED).containsAll(fixed);
    }

    @Test
    @DisplayName("S26: a pinned field is shown in the list, and on the page of its job")
    void pinned() {
        assertThat(page("/jobs?prefix=hourly")).contains("pinned</span>");
        assertThat(page("/jobs?prefix=lasting")).doesNotContain("pinned</span>");
        assertThat(page("/job?key=hourly"))
                .contains("Pinned</dt>")
                .contains("schedulingSpecification by ann (INC-7) at");
        assertThat(page("/job?key=lasting")).doesNotContain("Pinned</dt>");
    }

    /** The address that reverses the order. */
    private String ordered(String path, String order) {
        List<String> sorted = heads(page(path)).stream()
                .filter(head -> head.contains("aria-sort"))
                .toList();
        assertThat(sorted).as(path).hasSize(1);
        assertThat(sorted.get(0)).contains("aria-sort=\"" + order + "\"");
        var link = LINK.matcher(sorted.get(0));
        assertThat(link.find()).isTrue();
        return link.group(1).replace("&amp;", "&").replaceAll("#.*", "");
    }

    @Test
    @DisplayName("20: one table of a page is sorted, the other stays as it was read")
    void oneOfTwo() {
        assertThat(rows("/?sort=overdue.job")).containsSubsequence("lasting", "late-a", "late-b", "late-c");
        assertThat(rows("/?sort=-overdue.job")).containsSubsequence("lasting", "late-c", "late-b", "late-a");
        assertThat(rows("/jobs?prefix=late&sort=-jobs.key")).containsExactly("late-c", "late-b", "late-a");
    }

    @Test
    @DisplayName("20: sorting keeps the page of the list")
    void samePage() {
        assertThat(page("/jobs?prefix=late&after=late-a"))
                .contains("/jobs?prefix=late&amp;after=late-a&amp;sort=jobs.state")
                .contains("late-b");
        assertThat(rows("/jobs?prefix=late&after=late-a&sort=-jobs.key")).containsExactly("late-c", "late-b");
    }

    @Test
    @DisplayName("20: the form of the filter and the next page keep the order; none is invented")
    void sameOrder() {
        assertThat(page("/jobs?prefix=late&sort=-jobs.type"))
                .contains("<input type=\"hidden\" name=\"sort\" value=\"-jobs.type\">");
        assertThat(page("/jobs?prefix=late")).doesNotContain("name=\"sort\"");
        assertThat(page("/job?key=hourly&sort=rows.outcome"))
                .contains("<input type=\"hidden\" name=\"sort\" value=\"rows.outcome\">");
        scheduler.scheduleJobs(IntStream.range(0, 51)
                .mapToObj(i -> job("many-" + i, "ends")
                        .singleSchedule(Instant.now().plusSeconds(36_000))
                        .build())
                .toList());
        assertThat(page("/jobs?prefix=many&sort=-jobs.type"))
                .containsPattern(
                        "rel=\"next\" href=\"[^\"]*/jobs\\?prefix=many&amp;after=[^\"]*&amp;sort=-jobs.type\"");
        for (int i = 0; i < 51; i++) {
            int priority = i % 2;
            scheduler.apply(JobAction.update(job -> job.priority(priority)), JobSelection.keys("many-0"), false);
        }
        assertThat(page("/job?key=many-0&sort=rows.outcome"))
                .containsPattern("href=\"[^\"]*/job\\?key=many-0&amp;sort=rows.outcome&amp;before=[^\"]*#rows-title\"");
    }

    @Test
    @DisplayName("20: the fields of a change are sorted by name, or by what they were before or after")
    void versions() {
        assertThat(fields("/job?key=hourly&sort=versions.field")).isEqualTo(List.of("priority", "zoneId"));
        assertThat(fields("/job?key=hourly&sort=-versions.field")).isEqualTo(List.of("zoneId", "priority"));
        assertThat(fields("/job?key=hourly&sort=versions.after")).isEqualTo(List.of("priority", "zoneId"));
    }

    @Test
    @DisplayName("20: a value that reads like a change stands whole in the column before or after")
    void arrowInValue() {
        scheduler.scheduleJob(job("moved", "ends")
                .jobRequestor("till -> desk")
                .schedulingSpecification("0 0 * * * ?")
                .build());
        scheduler.apply(JobAction.update(job -> job.jobRequestor("desk")), JobSelection.keys("moved"), false);
        assertThat(page("/job?key=moved"))
                .contains("<del><bdi>till -&gt; desk</bdi></del>", "<ins><bdi>desk</bdi></ins>");
    }

    private List<String> fields(String path) {
        String page = page(path);
        return FIELD.matcher(page.substring(page.indexOf("versions-title")))
                .results()
                .map(row -> row.group(1))
                .toList();
    }

    private List<String> rows(String path) {
        return ROW.matcher(page(path)).results().map(row -> row.group(1)).toList();
    }

    @Test
    @DisplayName(
            "20: a job's page names its follow-ups, links those that were stored, and links the job that it followed")
    void followUps() {
        assertThat(page("/job?key=invoice"))
                .contains("Follow-ups", "after a good run", "after a failure", "/job?key=invoice+confirmed\"")
                .contains("invoice failed")
                .doesNotContain("/job?key=invoice+failed\"");
        assertThat(page("/job?key=invoice+confirmed"))
                .contains("Stored after a run of")
                .contains("/job?key=invoice\"");
        assertThat(page("/job?key=hourly")).doesNotContain("Follow-ups", "Stored after");
    }
}
