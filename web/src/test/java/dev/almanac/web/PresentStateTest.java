package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.JobState;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the pages say of claimed jobs, and that they say where a list ends before all was shown. */
class PresentStateTest {
    private static final Pattern RUN =
            Pattern.compile("<tr>\\s*<th scope=\"row\"><a[^>]*><bdi>([^<]*)</bdi></a></th>(.*?)</tr>", Pattern.DOTALL);

    private static final Pattern JOB = Pattern.compile("<th scope=\"row\"><a[^>]*><bdi>([^<]*)</bdi></a></th>");

    private static final Instant LATER =
            Instant.now().truncatedTo(ChronoUnit.MILLIS).plusSeconds(3_000);

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private MountedConsole mounted;

    @BeforeEach
    void mount() {
        mounted = fixture.mount(fixture.console()
                .metrics(() -> IntStream.range(0, 110)
                        .mapToObj(i -> "runs_total{type=\"t" + i + "\"} 1.0\n")
                        .collect(Collectors.joining()))
                .access(request -> Optional.of(Viewer.reader("ann"))));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static JobSpecificationBuilder job(String key, String type) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .triggerCommand(new EncodedCommand(type, 1, Map.of()))
                .triggerIdentifier(key);
    }

    private StoredJob stored(String key) {
        return fixture.store().find(key, FindScope.LIVE).orElseThrow();
    }

    private void claim(String key) {
        StoredJob job = stored(key);
        String group = job.specification().exclusiveGroup().orElse(null);
        List<String> ids = List.of(job.id());
        Lease lease = new Lease("n1", 7, Instant.now().plusSeconds(50));
        Instant until = now.plusSeconds(7_200);
        ClaimRequest request = group == null
                ? new ClaimRequest(ids, until, lease, lease.until().plusSeconds(2))
                : new ClaimRequest(
                        ids,
                        until,
                        lease,
                        lease.until().plusSeconds(2),
                        new ClaimRequest.Entry(group, null, List.of(group)));
        assertThat(fixture.store().claim(request).jobs()).hasSize(1);
    }

    private void plan(String key, UnaryOperator<FirePlan> edit) {
        StoredJob job = stored(key);
        StoredJob planned = job.with(values -> values.plan(edit.apply(job.plan())));
        fixture.store().write(List.of(new JobChange(job, planned, List.of(), JobChange.By.REQUEST)));
    }

    @Test
    @DisplayName(
            "20: Now shows when the attempt in progress was due and its number, also after a retry, and of a run now")
    void running() {
        Instant due = now.minusSeconds(100);
        Instant retry = now.minusSeconds(10);
        fixture.scheduler.scheduleJob(job("first", "pay").singleSchedule(LATER).build());
        fixture.scheduler.scheduleJob(job("third", "pay").singleSchedule(LATER).build());
        fixture.scheduler.scheduleJob(job("asked", "pay").singleSchedule(LATER).build());
        plan("first", plan -> plan.moveTo(due, null, null));
        plan("third", plan -> plan.moveTo(due, null, null).retryAt(due, null).retryAt(retry, null));
        fixture.scheduler.apply(JobAction.runNow(), JobSelection.keys("asked"), false);
        Instant asked = stored("asked").requests().runNow();
        fixture.scheduler.scheduleJob(job("lasts", "pay").singleSchedule(LATER).build());
        fixture.scheduler.scheduleJob(job("early", "pay").singleSchedule(LATER).build());
        fixture.scheduler.apply(JobAction.runNow(), JobSelection.keys("lasts"), false);
        Instant lasts = stored("lasts").requests().runNow();
        List.of("first", "third", "asked", "lasts", "early").forEach(this::claim);
        plan("lasts", plan -> plan.moveTo(due, null, null));
        fixture.scheduler.apply(JobAction.runNow(), JobSelection.keys("early"), false);
        Map<String, String> runs = RUN.matcher(mounted.get("/").body())
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
        assertThat(runs).containsOnlyKeys("first", "third", "asked", "lasts", "early");
        assertThat(runs.get("first")).contains(at(due), attempt(1)).doesNotContain("run now");
        assertThat(runs.get("third")).contains(at(retry), attempt(3)).doesNotContain(at(due), "run now");
        assertThat(runs.get("asked")).contains(at(asked), attempt(1), "run now").doesNotContain(at(LATER));
        assertThat(runs.get("lasts"))
                .as("its planned moment has passed meanwhile")
                .contains(at(lasts), attempt(1), "run now")
                .doesNotContain(at(due));
        assertThat(runs.get("early"))
                .as("the run now comes after the planned one, which was claimed before")
                .contains(at(LATER))
                .doesNotContain("run now");
    }

    private static String at(Instant moment) {
        return "datetime=\"" + moment + "\"";
    }

    private static String attempt(int number) {
        return "<td class=\"number\">" + number + "</td>";
    }

    @Test
    @DisplayName("S21: the list of jobs is filtered by each state")
    void states() {
        for (String key : List.of("waits", "held", "claimed", "gone")) {
            fixture.scheduler.scheduleJob(
                    job(key, "pay").tags(key).singleSchedule(LATER).build());
        }
        fixture.scheduler.apply(JobAction.cancel(), JobSelection.keys("gone"), false);
        fixture.scheduler.pause(PauseScope.tag("held"), new Pause("CR-1", "ann", null));
        claim("claimed");
        Map<JobState, String> found = Map.of(
                JobState.SCHEDULED, "waits",
                JobState.PAUSED, "held",
                JobState.CLAIMED, "claimed",
                JobState.CANCELED, "gone");
        for (JobState state : JobState.values()) {
            assertThat(JOB.matcher(mounted.get("/jobs?state=" + state).body())
                            .results()
                            .map(row -> row.group(1)))
                    .as(state.name())
                    .containsExactlyElementsOf(
                            Optional.ofNullable(found.get(state)).stream().toList());
        }
    }

    @Test
    @DisplayName("20: the jobs that run in a group are listed, and the table of groups leads to them")
    void group() {
        for (String key : List.of("runs", "waits")) {
            fixture.scheduler.scheduleJob(job(key, "pay")
                    .exclusiveGroup("bank api")
                    .singleSchedule(LATER)
                    .build());
        }
        fixture.scheduler.scheduleJob(job("elsewhere", "pay")
                .exclusiveGroup("bank api 2")
                .singleSchedule(LATER)
                .build());
        fixture.scheduler.groups().put("bank api", new GroupLimits(1, null));
        claim("runs");
        claim("elsewhere");
        assertThat(mounted.get("/pauses").body()).contains("/jobs?group=bank+api\"");
        assertThat(mounted.get("/jobs?group=bank+api").body())
                .contains("key=runs\"", "value=\"bank api\"")
                .doesNotContain("key=waits\"", "key=elsewhere\"", "were not examined");
    }

    @Test
    @DisplayName("20: a list that ends before all is shown says how many more there are")
    void cut() {
        Set<String> types = IntStream.range(0, 60).mapToObj(i -> "t" + i).collect(Collectors.toSet());
        for (int i = 0; i < 53; i++) {
            NodeReport node = new NodeReport("id-" + i, "node-" + i, now, now, "2026a", Duration.ZERO, types, 0);
            fixture.store().cluster().report(node, now.minusSeconds(60));
        }
        for (int i = 0; i < 15; i++) {
            fixture.scheduler.scheduleJob(job("due-" + i, "t" + i)
                    .singleSchedule(now.plusSeconds(1_800))
                    .build());
            fixture.scheduler.scheduleJob(
                    job("late-" + i, "late").singleSchedule(LATER).build());
            fixture.scheduler.scheduleJob(
                    job("late-too-" + i, "late").singleSchedule(LATER).build());
        }
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateMany(Filters.eq("type", "late"), Updates.set("due", Date.from(now.minusSeconds(60))));
        assertThat(mounted.get("/").body())
                .as("types that are due, and nodes")
                .contains("and 3 more", "20 of these are listed, the oldest ones")
                .containsPattern(
                        "<li><span class=\"muted\">and 3 more</span>\\s*</li>\\s*</ul>\\s*</section>\\s*<section id=\"running\"")
                .containsPattern(
                        "<li><span class=\"muted\">and 3 more</span>\\s*</li>\\s*</ul>\\s*</section>\\s*</div>");
        assertThat(mounted.get("/nodes").body()).contains("and 10 more");
        assertThat(mounted.get("/metrics").body()).contains("and 10 more").doesNotContain("lines are shown");
    }
}
