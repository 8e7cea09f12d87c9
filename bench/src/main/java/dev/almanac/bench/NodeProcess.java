package dev.almanac.bench;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.runtime.SchedulerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * One of several node processes. On standard input "mark" begins to count anew and "tell" ends it; each is answered by
 * processor time in microseconds, jobs that claims wanted, jobs that they got, runs, and by how much the latest was late.
 */
final class NodeProcess implements CommandListener {
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicLong won = new AtomicLong();
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong late = new AtomicLong();
    private final Set<Integer> claims = ConcurrentHashMap.newKeySet();
    private long cpu;

    private NodeProcess() {}

    public static void main(String[] arguments) throws IOException {
        NodeProcess own = new NodeProcess();
        SchedulerSettings settings = SchedulerSettings.builder()
                .maxConcurrentRuns(2_000)
                .pastAcceptanceWindow(Duration.ofMinutes(10))
                .build();
        try (Scheduler scheduler = new BenchNodes(arguments[0]).heard(own).node(settings, own::ran)) {
            scheduler.start();
            own.serve();
        }
    }

    private void serve() throws IOException {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            long used = BenchNodes.ownMicros() - cpu;
            System.out.println("answer " + used + " " + wanted + " " + won + " " + runs + " " + late);
            if (question.equals("mark")) {
                cpu = BenchNodes.ownMicros();
                wanted.set(0);
                won.set(0);
                runs.set(0);
                late.set(0);
            }
        }
    }

    private void ran(int number, Execution execution) {
        runs.incrementAndGet();
        long micros = Duration.between(execution.fireTime(), Instant.now()).toNanos() / 1_000;
        late.accumulateAndGet(micros, Math::max);
    }

    /** A claim is the update that raises the number of claims; one of one job brings it back at once. */
    @Override
    public void commandStarted(CommandStartedEvent event) {
        BsonDocument command = event.getCommand();
        switch (event.getCommandName()) {
            case "update" -> claims(event, command.getArray("updates").get(0).asDocument(), "u", "q");
            case "findAndModify" -> claims(event, command, "update", "query");
            default -> {
                // no claim
            }
        }
    }

    private void claims(CommandStartedEvent event, BsonDocument statement, String update, String guard) {
        if (statement.get(update).isDocument() && statement.getDocument(update).containsKey("$inc")) {
            BsonValue id = statement.getDocument(guard).get("_id");
            wanted.addAndGet(id.isDocument() ? id.asDocument().getArray("$in").size() : 1);
            claims.add(event.getRequestId());
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        if (claims.remove(event.getRequestId())) {
            BsonDocument answer = event.getResponse();
            won.addAndGet(
                    answer.containsKey("n")
                            ? answer.getNumber("n").longValue()
                            : answer.get("value").isNull() ? 0 : 1);
        }
    }
}
