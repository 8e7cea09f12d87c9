package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.store.NodeReport;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.web.ConsoleServlet;
import dev.almanac.web.Standalone;
import dev.almanac.web.TokenAccess;
import dev.almanac.web.Viewer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The console answers programs as the command line does (rule O7). */
class ApiTest {
    private static final String TOKEN = "0123456789abcdefghij";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ConsoleFixture console = ConsoleFixture.withStore();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void drop() {
        console.close();
    }

    private HttpResponse<String> get(Standalone served, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(served.address() + path))
                        .header("Authorization", "Bearer " + TOKEN)
                        .build(),
                BodyHandlers.ofString());
    }

    private String json(String... command) {
        List<String> whole = new ArrayList<>(Arrays.asList(command));
        whole.add("--json");
        return console.run(whole.toArray(String[]::new)).out();
    }

    private void fill() {
        Instant later = Instant.now().plusSeconds(3_600);
        console.schedule("nightly");
        console.schedule("paused", "--tag", "night");
        console.schedule("held", "--type", "invoice");
        console.schedule("over");
        console.run("jobs", "pause", "paused", "--reason", "audit", "--author", "ann");
        console.run("jobs", "pause", "--type", "invoice", "--reason", "audit", "--author", "ann", "--yes");
        console.run("jobs", "cancel", "over", "--reason", "CR-17", "--author", "ann");
        console.run("jobs", "update", "nightly", "--priority", "2", "--pin", "--author", "ann");
        console.run("calendars", "put", "weekends", "Weekly", "days=SAT,SUN", "--author", "ann");
        console.store().insert(List.of(Specimens.full("full", later)));
        console.database()
                .getCollection("jobSpecification")
                .updateOne(
                        com.mongodb.client.model.Filters.eq("activeKey", "held"),
                        com.mongodb.client.model.Updates.set("claimSeq", "many"));
        // silent, however long the questions take
        Instant seen = Instant.now().minusSeconds(600);
        console.store()
                .cluster()
                .report(
                        new NodeReport("node", "till 1", seen, seen, "2026a", Duration.ZERO, Set.of("report"), 0),
                        seen.minusSeconds(60));
    }

    /** A minute may pass between two questions, and accounts and forecasts are of the moment of the question. */
    private static String alike(String answer) {
        return answer.replaceAll("-?\\d+ min ago", "# min ago").replaceAll("\"(from|until)\":\"[^\"]*\"", "\"$1\":#");
    }

    @Test
    @DisplayName("O7: what is answered at /api is what --json prints, byte for byte")
    void same() throws Exception {
        fill();
        Map<String, String[]> asked = new LinkedHashMap<>();
        asked.put("api/jobs", new String[] {"jobs", "list"});
        asked.put("api/jobs?limit=1", new String[] {"jobs", "list", "--limit", "1"});
        asked.put("api/jobs?tag=night", new String[] {"jobs", "list", "--where-tag", "night"});
        asked.put("api/jobs?state=CANCELED", new String[] {"jobs", "list", "--state", "CANCELED"});
        asked.put("api/job?key=nightly", new String[] {"jobs", "show", "nightly"});
        asked.put("api/job?key=full", new String[] {"jobs", "show", "full"});
        asked.put("api/job?key=over&finished=true", new String[] {"jobs", "show", "over", "--finished"});
        asked.put("api/job/history?key=nightly", new String[] {"jobs", "history", "nightly"});
        asked.put("api/job/history?key=full&failed=true", new String[] {"jobs", "history", "full", "--failed"});
        asked.put("api/job/explanation?key=paused", new String[] {"jobs", "explain", "paused"});
        asked.put("api/job/explanation?key=full", new String[] {"jobs", "explain", "full"});
        asked.put(
                "api/job/fires?key=nightly&since=2020-01-01",
                new String[] {"fires", "nightly", "--since", "2020-01-01"});
        asked.put("api/job/fires?key=full&limit=1", new String[] {"fires", "full", "--limit", "1"});
        asked.put("api/forecast?next=30d", new String[] {"forecast", "--next", "30d"});
        asked.put("api/forecast?next=366d&limit=1", new String[] {"forecast", "--next", "366d", "--limit", "1"});
        asked.put("api/failures", new String[] {"jobs", "history", "--failed"});
        asked.put("api/failures?open=true&limit=1", new String[] {"jobs", "history", "--failed", "--open"});
        asked.put("api/nodes", new String[] {"nodes"});
        asked.put("api/pauses", new String[] {"jobs", "pauses"});
        asked.put("api/calendars", new String[] {"calendars", "list"});
        asked.put("api/health", new String[] {"health"});
        asked.put("api/doctor", new String[] {"doctor"});
        try (Standalone served = Standalone.start(
                ConsoleServlet.builder()
                        .store(console.store())
                        .databaseTimeout(PATIENCE)
                        .calendarReader(
                                definition -> CalendarDefinition.of(definition).calendar()),
                TokenAccess.of(Viewer.operator("ann"), TOKEN),
                Standalone.LOOPBACK,
                0)) {
            await().atMost(PATIENCE).until(() -> get(served, "api/doctor").statusCode() == 200);
            for (Map.Entry<String, String[]> question : asked.entrySet()) {
                assertThat(alike(CommandResult.alike(
                                get(served, question.getKey()).body())))
                        .as(question.getKey())
                        .isEqualTo(alike(json(question.getValue())));
            }
        }
    }
}
