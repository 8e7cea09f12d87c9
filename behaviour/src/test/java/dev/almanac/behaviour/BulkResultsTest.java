package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.BulkResult;
import dev.almanac.model.IfRefused;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.JacksonCommandCodec;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.DamagedJobException;
import dev.almanac.testkit.server.MongoServer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BulkResultsTest {
    record Note(String text) implements SchedulingCommand {}

    /** Fails for some texts as codecs of services may, and makes bodies of others that no store can write. */
    private static final class Moody implements CommandCodec {
        private final CommandCodec good = new JacksonCommandCodec();

        @Override
        public Map<String, Object> encode(SchedulingCommand command) {
            return switch (((Note) command).text()) {
                case "throw" -> throw new IllegalStateException("no key today");
                case "overflow" -> throw new StackOverflowError();
                case "strange" -> Map.of("thread", Thread.currentThread());
                default -> good.encode(command);
            };
        }

        @Override
        public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
            return good.decode(body, type);
        }
    }

    private static JobSpecification job(String key, String text) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("tests")
                .triggerCommand(new Note(text))
                .triggerIdentifier(key)
                .singleSchedule(Instant.parse("2100-01-01T00:00:00Z"))
                .build();
    }

    @Test
    @DisplayName(
            "15.4: each item of scheduleJobs has its own result, beside a damaged job, commands without a body, an Error, and a null")
    void each() {
        MongoServer server = MongoServer.shared();
        String name = server.freshDatabase();
        try (MongoClient client = MongoClients.create(server.uri());
                Scheduler scheduler = Scheduler.builder()
                        .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(name), new Moody()))
                        .command("note", 1, Note.class)
                        .build()) {
            scheduler.scheduleJob(job("damaged", "x"));
            client.getDatabase(name)
                    .getCollection("jobSpecification")
                    .updateOne(
                            new Document("activeKey", "damaged"),
                            new Document("$set", new Document("zoneId", "Mars/Base")));
            List<BulkResult> results = scheduler.scheduleJobs(
                    Arrays.asList(
                            job("first", "a"),
                            job("damaged", "y"),
                            job("thrown", "throw"),
                            job("unwritable", "strange"),
                            job("first", "a"),
                            job("bad\u0007key", "a"),
                            null,
                            job("error", "overflow"),
                            job("last", "b")),
                    IfRefused.REPORT);
            assertThat(results)
                    .extracting(BulkResult::key)
                    .containsExactly(
                            "first",
                            "damaged",
                            "thrown",
                            "unwritable",
                            "first",
                            "bad\u0007key",
                            "null",
                            "error",
                            "last");
            assertThat(results.get(1).error()).isInstanceOf(DamagedJobException.class);
            assertThat(results.get(2).error()).isNotNull();
            assertThat(results.get(3).error()).isNotNull();
            assertThat(results.get(5).error()).isInstanceOf(InvalidJobException.class);
            assertThat(results.get(6).error()).isInstanceOf(InvalidJobException.class);
            assertThat(results.get(7).error()).hasCauseInstanceOf(StackOverflowError.class);
            for (int stored : new int[] {0, 4, 8}) {
                assertThat(results.get(stored).error()).isNull();
                assertThat(scheduler.findJobById(results.get(stored).key())).isPresent();
            }
            assertThat(scheduler.findJobById("unwritable")).isEmpty();
            assertThat(scheduler.findJobById("error")).isEmpty();
            client.getDatabase(name).drop();
        }
    }
}
