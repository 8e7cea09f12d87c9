package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.almanac.Scheduler;
import dev.almanac.model.CancelResult;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Commands that are given as type, version and body, without a class: what no store could keep is refused (rule M2). */
class EncodedCommandsTest extends OverStores {
    private static JobSpecificationBuilder later(String key) {
        return job(key).singleSchedule(START.plus(Duration.ofDays(1)));
    }

    private static Map<String, Object> nested(int levels) {
        Map<String, Object> body = Map.of();
        for (int i = 1; i < levels; i++) {
            body = Map.of("n", body);
        }
        return body;
    }

    private static Map<EncodedCommand, String> badTypes() {
        Map<EncodedCommand, String> bad = new LinkedHashMap<>();
        for (int version : new int[] {0, -3}) {
            bad.put(new EncodedCommand("note", version, Map.of()), ".version '" + version + "' is less than 1");
        }
        for (String type : Arrays.asList(null, "", "a b", "a\n", "x".repeat(101), "x".repeat(7 << 20))) {
            bad.put(
                    new EncodedCommand(type, 1, Map.of()),
                    " must be 1 to 100 letters, digits, dots, dashes or underscores");
        }
        return bad;
    }

    private static Map<Map<String, Object>, String> badBodies() {
        Map<Object, String> values = new LinkedHashMap<>();
        values.put(
                BigInteger.TWO.pow(64), "'body.a' is the java.math.BigInteger 18446744073709551616; a body is made of");
        values.put(UUID.fromString("00000000-0000-0000-0000-000000000001"), "'body.a' is the java.util.UUID");
        values.put(new BigDecimal("1." + "1".repeat(40)), "'body.a' is the java.math.BigDecimal");
        values.put(Double.NaN, "'body.a' is the java.lang.Double NaN");
        values.put(Instant.EPOCH, "'body.a' is the java.time.Instant");
        values.put(Set.of(1), "'body.a' is the java.util.");
        values.put(List.of(1, Map.of("b", new byte[1])), "'body.a[1].b' is the [B");
        values.put("half \ud83d", "'body.a' contains half of a surrogate pair");
        values.put(Map.of("half \ud83d", 1), "contains half of a surrogate pair");
        values.put(Map.of("a\u0000b", 1), "of 'body.a' holds a NUL character");
        values.put(Map.of(1, 1), "a key of 'body.a' is 1, not a text");
        values.put(nested(60), "lies deeper than 60 levels");
        values.put(nested(2_000), "lies deeper than 60 levels");
        Map<Map<String, Object>, String> bad = new LinkedHashMap<>();
        values.forEach((value, text) -> bad.put(Map.of("a", value), text));
        Map<String, Object> none = new HashMap<>();
        none.put(null, 1);
        bad.put(none, "a key of 'body' is null, not a text");
        return bad;
    }

    private static List<Problem> refused(ThrowingCallable call) {
        InvalidJobException refused = catchThrowableOfType(InvalidJobException.class, call);
        assertThat(refused).isNotNull();
        assertThat(refused.problems())
                .allSatisfy(problem -> assertThat(problem.rule()).isNotEmpty());
        assertThat(refused.getMessage()).hasSizeLessThan(5_000);
        return refused.problems();
    }

    private static void assertRefused(Scheduler client, EncodedCommand command, String text) {
        Map<String, JobSpecification> places = Map.of(
                "triggerCommand", later("j").triggerCommand(command).build(),
                "failureCommand", later("j").failureCommand(command).build(),
                "onSuccess[0].triggerCommand",
                        later("j")
                                .onSuccess(JobSpecification.now("after", command))
                                .build());
        places.forEach((field, job) -> assertThat(refused(() -> client.scheduleJob(job)))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.toString()).startsWith(field).contains(text))
                .satisfies(problem -> assertThat(problem.rule()).isEqualTo("M2")));
        assertThat(client.listJobs(JobQuery.all()).jobs())
                .as("nothing was written")
                .isEmpty();
        assertThat(client.listJobs(JobQuery.all()).damaged()).isEmpty();
    }

    @Test
    @DisplayName("M2: a type or version that no store reads back is refused, as command, failure command and follow-up")
    void types() {
        try (Scheduler client = client(world.store)) {
            badTypes().forEach((command, text) -> assertRefused(client, command, text));
        }
    }

    @Test
    @DisplayName("M2: a body that is missing, or holds what is no plain value, is refused with the place of that value")
    void bodies() {
        try (Scheduler client = client(world.store)) {
            assertRefused(client, new EncodedCommand("note", 1, null), ".body is required");
            badBodies().forEach((body, text) -> assertRefused(client, new EncodedCommand("note", 1, body), text));
            Map<String, Object> endless = new HashMap<>();
            endless.put("self", endless);
            assertRefused(client, new EncodedCommand("note", 1, endless), "lies deeper than 60 levels");
        }
    }

    @Test
    @DisplayName("M1: type, version and body are reported together, and beside other problems of the job")
    void together() {
        try (Scheduler client = client(world.store)) {
            EncodedCommand bad = new EncodedCommand(null, 0, Map.of("id", new UUID(0, 1)));
            assertThat(refused(() -> client.scheduleJob(
                            later("j").triggerCommand(bad).priority(9).build())))
                    .extracting(Problem::field)
                    .containsExactlyInAnyOrder(
                            "triggerCommand", "triggerCommand.version", "triggerCommand.body", "priority");
        }
    }

    @Test
    @DisplayName("S17, M2: a run with contents that no store reads back is refused, and the job stays as it was")
    void contents() {
        try (Scheduler client = client(world.store)) {
            client.scheduleJob(later("j").build());
            Map<EncodedCommand, String> bad = badTypes();
            bad.put(new EncodedCommand("note", 1, null), "is required");
            badBodies().forEach((body, text) -> bad.put(new EncodedCommand("note", 1, body), text));
            bad.forEach((command, text) -> assertThat(refused(() -> client.runNow("j", command)))
                    .anySatisfy(problem -> assertThat(problem.toString()).contains(text)));
            assertThat(world.store
                            .find("j", FindScope.LIVE)
                            .orElseThrow()
                            .requests()
                            .extraRun())
                    .isNull();
            assertThat(client.cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        }
    }

    @Test
    @DisplayName(
            "M2: every plain value comes back from the store as it is, also after a change; the job can be cancelled")
    void good() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("", "é\u0000");
        body.put("$x.y", Map.of("a.b", 1, "$set", List.of()));
        body.put("none", null);
        body.put("list", Arrays.asList(1, null, true, 1L << 40, 0.5, -0.0));
        body.put("digits", new BigDecimal("12345678901234567890123456789012.50"));
        body.put("small", new BigDecimal("1E-6176"));
        body.put("large", new BigDecimal("1E+6111"));
        body.put("deep", nested(59));
        try (Scheduler client = client(world.store)) {
            for (int version : new int[] {1, Integer.MAX_VALUE}) {
                EncodedCommand good = new EncodedCommand("A.b_c-9", version, body);
                client.scheduleJob(
                        later("j").triggerCommand(good).failureCommand(good).build());
                assertThat(client.findJobById("j").orElseThrow().specification().triggerCommand())
                        .isEqualTo(good);
            }
            assertThat(client.cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        }
    }

    @Test
    @DisplayName(
            "M3: numbers and texts of other classes become those that a store gives back, so that nothing changes again")
    void converted() {
        JobSpecification given = later("j")
                .triggerCommand(new EncodedCommand(
                        "other",
                        1,
                        Map.of("a", (short) 7, "b", 0.5f, "c", BigInteger.TEN, "d", new StringBuilder("text"))))
                .build();
        try (Scheduler client = client(world.store)) {
            client.scheduleJob(given);
            assertThat(client.findJobById("j").orElseThrow().specification().triggerCommand())
                    .isEqualTo(new EncodedCommand("other", 1, Map.of("a", 7, "b", 0.5, "c", 10L, "d", "text")));
            assertThat(client.scheduleJob(given).specification().version()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "M3: commands of follow-ups are shown like those of their job: of known types as objects, others as stored")
    void followUps() {
        EncodedCommand other = new EncodedCommand("other", 1, Map.of("a", 1));
        JobSpecification last = job("last").triggerCommand(other).now().build();
        JobSpecification next = job("next")
                .now()
                .failureCommand(new World.Note("sorry"))
                .onSuccess(List.of(last))
                .onFailure(List.of(job("worse").now().build()))
                .build();
        try (Scheduler client = client(world.store)) {
            client.scheduleJob(
                    later("j").onSuccess(List.of(next)).onFailure(List.of(next)).build());
            JobSpecification shown = client.findJobById("j").orElseThrow().specification();
            for (List<JobSpecification> followUps : List.of(shown.onSuccess(), shown.onFailure())) {
                JobSpecification followUp = followUps.get(0);
                assertThat(followUp.triggerCommand()).isEqualTo(new World.Note("next"));
                assertThat(followUp.failureCommand()).contains(new World.Note("sorry"));
                assertThat(followUp.onSuccess())
                        .extracting(JobSpecification::triggerCommand)
                        .containsExactly(other);
                assertThat(followUp.onFailure())
                        .extracting(JobSpecification::triggerCommand)
                        .containsExactly(new World.Note("worse"));
            }
            assertThat(client.scheduleJob(shown).specification().version())
                    .as("what is shown is what is stored")
                    .isEqualTo(1);
        }
    }
}
