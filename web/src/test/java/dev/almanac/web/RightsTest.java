package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Progress;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a viewer may see and change, by application. */
class RightsTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Applications ledger = Applications.of("ledger");

    @BeforeEach
    void fill() {
        for (String application : List.of("ledger", "payments")) {
            fixture.scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey("job-of-" + application)
                    .jobRequestor("treasury")
                    .applicationTag(application)
                    .triggerCommand(new EncodedCommand("book", 1, Map.of("account", "BE12-" + application)))
                    .triggerIdentifier("id-of-" + application)
                    .singleSchedule(Instant.now().plusSeconds(3_600))
                    .build());
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private MountedConsole mounted(Viewer viewer) {
        return MountedConsole.of(fixture.console()
                .allowChanges(true)
                .access(request -> Optional.of(viewer))
                .build());
    }

    @Test
    @DisplayName(
            "console: a viewer of one application sees its jobs, and neither keys, counts by type nor findings of others")
    void seesItsOwn() {
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger))) {
            for (String path : List.of("/", "/jobs", "/jobs?prefix=job", "/failures", "/jobs?application=payments")) {
                assertThat(console.get(path).body()).as(path).doesNotContain("job-of-payments");
            }
            assertThat(console.get("/jobs").body()).contains("job-of-ledger");
            assertThat(console.get("/job?key=job-of-ledger").body()).contains("BE12-ledger");
            assertThat(console.get("/job?key=job-of-payments").statusCode()).isEqualTo(404);
            assertThat(console.get("/job?key=never").body())
                    .isEqualTo(console.get("/job?key=job-of-payments").body());
            assertThat(console.get("/doctor").statusCode()).isEqualTo(403);
            assertThat(console.get("/metrics").statusCode()).isEqualTo(403);
            assertThat(console.get("/").body()).doesNotContain(">book<");
        }
    }

    @Test
    @DisplayName("console: payloads are shown to those who may see them, and to nobody where the console hides them")
    void payloads() {
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, Applications.NONE))) {
            assertThat(console.get("/job?key=job-of-ledger").body()).contains("BE12-ledger", "id-of-ledger");
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("not shown to you")
                    .doesNotContain("BE12-payments", "id-of-payments");
        }
        try (MountedConsole console = MountedConsole.of(fixture.console()
                .hidePayloads()
                .access(request -> Optional.of(Viewer.operator("ann")))
                .build())) {
            assertThat(console.get("/job?key=job-of-ledger").body()).doesNotContain("BE12-ledger");
        }
    }

    @Test
    @DisplayName("A3, console: Now and the job's page show how far a run is; the state for the next run is a payload")
    void progress() {
        StoredJob job = fixture.store().find("job-of-payments", FindScope.LIVE).orElseThrow();
        Instant now = Instant.now();
        Lease lease = new Lease("n1", 7, now.plusSeconds(20));
        Map<String, Object> state = Map.of("cursor", "secret-4711");
        StoredJob held = job.with(edit -> edit.state(state));
        fixture.store().write(List.of(new JobChange(job, held, List.of(), null, JobChange.WriteOrder.DOCUMENT_FIRST)));
        fixture.store().claim(new ClaimRequest(List.of(job.id()), now.plusSeconds(7_200), lease, now.plusSeconds(22)));
        Progress said = new Progress(30, 100, "reading <b>", now);
        fixture.store()
                .renew(new Renewal(
                        Map.of(job.id(), 7L), lease.until(), now.plusSeconds(22), Map.of(job.id(), said), null, false));
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, Applications.NONE))) {
            assertThat(console.get("/").body()).contains("<bdi>30 of 100: reading &lt;b&gt;</bdi>");
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("<bdi>30 of 100: reading &lt;b&gt;</bdi>")
                    .doesNotContain("secret-4711");
        }
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/job?key=job-of-payments").body()).contains("secret-4711");
        }
    }

    @Test
    @DisplayName(
            "console: orders reach the jobs that the viewer may change, and leave the others of the selection alone")
    void changes() {
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, ledger))) {
            var page = console.get("/jobs");
            int field = page.body().indexOf("name=\"form-token\" value=\"") + "name=\"form-token\" value=\"".length();
            String token = page.body().substring(field, page.body().indexOf('"', field));
            String answer = console.post(
                            "/act",
                            "do=PAUSE&confirmed=yes&reason=CR-1&key=job-of-ledger&key=job-of-payments&form-token="
                                    + token,
                            "Cookie",
                            MountedConsole.cookies(page))
                    .body();
            assertThat(answer).contains("paused", "is no job that you may change");
            assertThat(fixture.scheduler
                            .findJobById("job-of-ledger")
                            .orElseThrow()
                            .pause())
                    .isEqualTo(new Pause("CR-1", "lea", null));
            assertThat(fixture.scheduler
                            .findJobById("job-of-payments")
                            .orElseThrow()
                            .pause())
                    .isNull();
            fixture.scheduler.resume(PauseScope.job("job-of-ledger"));
        }
    }

    @Test
    @DisplayName("console: an order without a reason is told and not carried out")
    void withoutReason() {
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            var page = console.get("/jobs");
            int field = page.body().indexOf("name=\"form-token\" value=\"") + "name=\"form-token\" value=\"".length();
            String token = page.body().substring(field, page.body().indexOf('"', field));
            String answer = console.post(
                            "/act",
                            "do=CANCEL&confirmed=yes&reason=+&key=job-of-ledger&form-token=" + token,
                            "Cookie",
                            MountedConsole.cookies(page))
                    .body();
            assertThat(answer).contains("A reason is required", "Nothing has been done yet");
            assertThat(fixture.scheduler.findJobById("job-of-ledger")).isPresent();
        }
    }
}
