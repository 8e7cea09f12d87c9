package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The ideas of the examples, in days that take no time. */
class IdeasTest {
    @Test
    @DisplayName("payment batch: it is released at the date that it was moved to, and only there")
    void paymentBatch() {
        ExampleFixture fixture = new ExampleFixture("2026-03-02T08:00:00Z");
        PaymentBatch example = new PaymentBatch();
        ExampleFixture.Node node = fixture.node(example::parts);
        PaymentBatch.releaseAt(node.scheduler(), "4711", LocalDateTime.parse("2026-03-02T18:00"));
        PaymentBatch.releaseAt(node.scheduler(), "4711", LocalDateTime.parse("2026-03-03T09:00"));
        fixture.until("2026-03-03T07:59:59Z");
        assertThat(example.released).isEmpty();
        fixture.until("2026-03-03T08:00:00Z");
        assertThat(example.released).containsExactly("4711");
        fixture.until("2026-03-03T10:00:00Z");
        assertThat(example.released).hasSize(1);
        assertThat(ExampleFixture.rows(node, PaymentBatch.key("4711")))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "invoice run: each invoice is confirmed once, also if the node dies before that; of the other a clerk is informed")
    void invoiceRun() {
        ExampleFixture fixture = new ExampleFixture("2026-03-31T05:00:00Z");
        InvoiceRun example = new InvoiceRun(List.of("ann", "bob", "eve"), customer -> !customer.equals("eve"));
        ExampleFixture.Node node = fixture.node(example::parts);
        example.schedule(node.scheduler(), "0 0 6 L * ?", ZoneOffset.UTC);
        fixture.until("2026-03-31T06:00:02Z");
        assertThat(example.issued).containsExactlyInAnyOrder("invoice 2026-03 ann", "invoice 2026-03 bob");
        assertThat(example.confirmed).containsExactlyInAnyOrder("ann", "bob");
        assertThat(example.told).as("eve is tried again twice").isEmpty();
        node.kill();
        fixture.node(example::parts);
        fixture.until("2026-03-31T09:00:00Z");
        assertThat(example.told).containsExactly("eve");
        assertThat(example.confirmed).hasSize(2);
        assertThat(ExampleFixture.rows(node, "invoice 2026-03 eve"))
                .containsExactly(
                        "SCHEDULED/NONE",
                        "SCHEDULED/ATTEMPT_FAILED",
                        "SCHEDULED/ATTEMPT_FAILED",
                        "FAILED/RETRIES_EXHAUSTED");
        fixture.node(example::parts).scheduler().runNow("invoice run");
        fixture.until("2026-03-31T12:00:00Z");
        assertThat(example.confirmed).as("a repeated run schedules none again").hasSize(2);
        assertThat(example.told).hasSize(1);
    }

    @Test
    @DisplayName("bank API: over two nodes no more than five calls at a time, and no more than ten within a second")
    void bankApi() {
        ExampleFixture fixture = new ExampleFixture("2026-03-02T08:00:00Z");
        List<Instant> begun = new ArrayList<>();
        List<CompletableFuture<Void>> open = new ArrayList<>();
        BankApi example = new BankApi(() -> {
            begun.add(fixture.now());
            CompletableFuture<Void> answer = new CompletableFuture<>();
            open.add(answer);
            return answer;
        });
        ExampleFixture.Node node = fixture.node(example::parts);
        fixture.node(example::parts);
        BankApi.schedule(node.scheduler(), 40);
        for (int tenths = 0; tenths < 200 && begun.size() < 40; tenths++) {
            fixture.pass(Duration.ofMillis(100));
            assertThat(open).as("at a time").hasSizeLessThanOrEqualTo(5);
            open.forEach(answer -> answer.complete(null));
            open.clear();
        }
        assertThat(example.begun).hasSize(40).doesNotHaveDuplicates();
        for (int i = 10; i < 40; i++) {
            assertThat(Duration.between(begun.get(i - 10), begun.get(i)))
                    .as("from call %d to call %d", i - 10, i)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(750));
        }
    }

    @Test
    @DisplayName("cut-offs: none over Easter and on weekends; fees on the last open day of the month")
    void cutOffs() {
        ExampleFixture fixture = new ExampleFixture("2026-04-01T08:00:00Z");
        CutOffs example = new CutOffs();
        UnaryOperator<SchedulerBuilder> parts =
                builder -> example.parts(builder).settings(VirtualTime.FAST);
        ExampleFixture.Node node = fixture.node(parts);
        CutOffs.schedule(node.scheduler());
        fixture.until("2026-04-08T00:00:00Z");
        assertThat(example.closed.get("transfers"))
                .as("Good Friday to Easter Monday")
                .extracting(Instant::toString)
                .containsExactly("2026-04-01T14:00:00Z", "2026-04-02T14:00:00Z", "2026-04-07T14:00:00Z");
        node.kill();
        fixture.until("2026-05-28T00:00:00Z");
        ExampleFixture.Node next = fixture.node(parts);
        fixture.until("2026-06-01T00:00:00Z");
        assertThat(example.closed.get("fees"))
                .as("31 May is a Sunday; the fire of 30 April was missed and is run late")
                .extracting(Instant::toString)
                .containsExactly("2026-04-30T14:00:00Z", "2026-05-29T14:00:00Z");
        assertThat(next.scheduler().findJobById("cut-off-fees")).isPresent();
    }

    @Test
    @DisplayName(
            "file guard: the file is read once it was quiet for ten minutes; after a change during the reading once more")
    void fileGuard() {
        ExampleFixture fixture = new ExampleFixture("2026-03-02T08:00:00Z");
        FileGuard example = new FileGuard();
        ExampleFixture.Node node = fixture.node(example::parts);
        Duration quiet = Duration.ofMinutes(10);
        for (int i = 0; i < 3; i++) {
            FileGuard.changed(node.scheduler(), "a.csv", fixture.now(), quiet);
            fixture.pass(Duration.ofMinutes(9));
        }
        assertThat(example.read).isEmpty();
        fixture.pass(Duration.ofSeconds(59).plusMillis(900));
        FileGuard.changed(node.scheduler(), "a.csv", fixture.now(), quiet);
        fixture.pass(Duration.ofMinutes(9));
        assertThat(example.read).as("it was claimed already").containsExactly("a.csv");
        fixture.pass(Duration.ofHours(1));
        assertThat(example.read).as("the change was read, too").hasSize(2);
        FileGuard.changed(node.scheduler(), "a.csv", fixture.now(), quiet);
        fixture.pass(Duration.ofHours(1));
        assertThat(example.read).hasSize(3);
    }

    @Test
    @DisplayName("file guard: a node that dies in the reading, after a change, leaves the file to the next one")
    void fileGuardOfDeadNode() {
        ExampleFixture fixture = new ExampleFixture("2026-03-02T08:00:00Z");
        FileGuard example = new FileGuard();
        ExampleFixture.Node node = fixture.node(builder -> builder.serviceName("files")
                .command(CommandType.of("read-file", 1, FileGuard.ReadFile.class))
                .helper(new SchedulingHelper() {
                    @Override
                    public boolean supports(SchedulingCommand command) {
                        return true;
                    }

                    @Override
                    public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                        return new CompletableFuture<>();
                    }
                }));
        Duration quiet = Duration.ofMinutes(10);
        FileGuard.changed(node.scheduler(), "a.csv", fixture.now(), quiet);
        fixture.pass(Duration.ofMinutes(10).plusSeconds(5));
        FileGuard.changed(node.scheduler(), "a.csv", fixture.now(), quiet);
        node.kill();
        fixture.node(example::parts);
        fixture.pass(Duration.ofHours(1));
        assertThat(example.read).isNotEmpty().containsOnly("a.csv");
    }

    @Test
    @DisplayName("invoice reminder: a second attempt mends what it can; for the rest a clerk is told, once")
    void invoiceReminder() {
        ExampleFixture fixture = new ExampleFixture("2026-03-02T08:00:00Z");
        Map<String, Integer> tries = new ConcurrentHashMap<>();
        InvoiceReminder example =
                new InvoiceReminder(address -> tries.merge(address, 1, Integer::sum) == 2 && address.startsWith("ann"));
        ExampleFixture.Node node = fixture.node(example::parts);
        Instant due = Instant.parse("2026-03-02T09:00:00Z");
        node.scheduler()
                .scheduleJob(
                        InvoiceReminder.reminder("1", "ann@example.org", due).build());
        node.scheduler()
                .scheduleJob(
                        InvoiceReminder.reminder("2", "bob@example.org", due).build());
        fixture.until("2026-03-02T09:09:59Z");
        assertThat(example.mailed).isEmpty();
        fixture.until("2026-03-02T09:10:01Z");
        assertThat(example.mailed).containsExactly("1");
        assertThat(example.told).as("one more attempt is left").isEmpty();
        fixture.until("2026-03-02T12:00:00Z");
        assertThat(tries).containsEntry("bob@example.org", 3);
        assertThat(example.told).containsExactly("2: the customer could not be reminded");
        assertThat(ExampleFixture.rows(node, "reminder-2"))
                .endsWith("FAILED/RETRIES_EXHAUSTED", "FAILED/FAILURE_DELIVERED");
    }

    @Test
    @DisplayName("once-only script: it is not started a second time after its node died, and that is on record")
    void onceOnlyScript() {
        ExampleFixture fixture = new ExampleFixture("2026-03-02T08:00:00Z");
        OnceOnlyScript example = new OnceOnlyScript(CompletableFuture::new);
        ExampleFixture.Node first = fixture.node(example::parts);
        first.scheduler().scheduleJob(OnceOnlyScript.once("m", Instant.parse("2026-03-02T09:00:00Z")));
        fixture.until("2026-03-02T09:00:05Z");
        assertThat(example.started).containsExactly("m");
        first.kill();
        ExampleFixture.Node second = fixture.node(example::parts);
        fixture.until("2026-03-02T10:00:00Z");
        assertThat(example.started).hasSize(1);
        assertThat(ExampleFixture.rows(second, "script-m"))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/ABANDONED", "FAILED/CRASHED");
    }

    @Test
    @DisplayName(
            "declared jobs: a release creates, updates and cancels; what is unchanged or not declared is left alone")
    void declaredJobs() {
        ExampleFixture fixture = new ExampleFixture("2026-03-02T05:00:00Z");
        DeclaredJobs example = new DeclaredJobs();
        Scheduler scheduler = fixture.node(example::parts).scheduler();
        Map<String, String> first = Map.of("a", "0 0 6 * * ?", "b", "0 0 7 * * ?", "c", "0 0 8 * * ?");
        assertThat(DeclaredJobs.declare(scheduler, first, false).created())
                .containsExactly("report-a", "report-b", "report-c");
        var byHand = scheduler.findJobById("report-a").orElseThrow().specification().toBuilder()
                .jobSpecificationKey("by-hand")
                .applicationTag(null)
                .version(0);
        scheduler.scheduleJob(byHand.build());
        Map<String, String> second = Map.of("a", "0 0 6 * * ?", "b", "0 0 9 * * ?", "d", "0 0 10 * * ?");
        ReconcileResult seen = DeclaredJobs.declare(scheduler, second, true);
        assertThat(scheduler.findJobById("report-c"))
                .as("a dry run does nothing")
                .isPresent();
        ReconcileResult done = DeclaredJobs.declare(scheduler, second, false);
        assertThat(done)
                .isEqualTo(new ReconcileResult(
                        List.of("report-d"),
                        List.of("report-b"),
                        List.of("report-a"),
                        List.of("report-c"),
                        List.of(),
                        false,
                        false,
                        null))
                .isEqualTo(new ReconcileResult(
                        seen.created(),
                        seen.updated(),
                        seen.unchanged(),
                        seen.canceled(),
                        List.of(),
                        false,
                        false,
                        null));
        assertThat(DeclaredJobs.declare(scheduler, second, false).isEmpty())
                .as("the next node of the release")
                .isTrue();
        fixture.until("2026-03-02T12:00:00Z");
        assertThat(example.made).as("by hand, too").containsExactly("a", "a", "b", "d");
    }
}
