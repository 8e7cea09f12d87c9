package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.testkit.contract.Specimens;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Answers of the server that neither confirm a write nor refuse it")
class DoubtfulAnswersTest extends StoreFixture {
    private static final String NAME = "doubtful";

    private Consumer<String> afterCommand = command -> {};
    private final MongoClient own = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.uri()))
            .retryWrites(false)
            .applicationName(NAME)
            .addCommandListener(new CommandListener() {
                @Override
                public void commandSucceeded(CommandSucceededEvent event) {
                    afterCommand.accept(event.getCommandName());
                }
            })
            .build());
    private final MongoJobStore doubtful = MongoJobStore.create(own, settings);

    @AfterEach
    void close() {
        own.close();
    }

    private JobChange endOf(StoredJob job, long token) {
        StoredJob held = claim(List.of(job), token).get(0);
        JobExecutionStatus row = ending(held).rows().get(0).toBuilder()
                .outcome(Outcome.SUCCEEDED)
                .build();
        StoredJob after = ending(held).after().with(edit -> edit.lastStatus(row));
        return new JobChange(held, after, List.of(row), JobChange.By.HOLDER).withRowsToFollow();
    }

    @Test
    @DisplayName("N3: a status collection that takes no rows stops no end of a run; what an end hides is stored later")
    void noRowsTaken() {
        NewJob job = Specimens.minimal("k", now);
        doubtful.insert(List.of(job));
        JobChange first = endOf(job.job(), 1);
        assertThat(doubtful.write(List.of(first))).containsExactly(true);
        JobChange second = endOf(first.after(), 2);
        fails("insert", 1, new Document("errorCode", 13));
        List<JobExecutionStatus> owed = new ArrayList<>();
        assertThat(doubtful.write(List.of(second), owed::addAll)).containsExactly(true);
        assertThat(rows().countDocuments()).as("only that of the creation").isEqualTo(1);
        doubtful.writeRows(second.rows());
        doubtful.writeRows(owed);
        assertThat(doubtful.rows(RowQuery.ofDocument(job.job().id(), 9)))
                .extracting(JobExecutionStatus::id)
                .contains(first.rows().get(0).id(), second.rows().get(0).id());
    }

    @Test
    @DisplayName("N2: a row that the server refuses is no refusal of the new job, whose document is stored; the others"
            + " have their rows")
    void rowOfNewJobRefused() {
        client.getDatabase(database)
                .runCommand(new Document("collMod", rows().getNamespace().getCollectionName())
                        .append("validator", Document.parse("{jobSpecificationKey: {$ne: 'bad'}}")));
        assertThat(store.insert(List.of(Specimens.minimal("bad", now), Specimens.minimal("fair", now))))
                .containsExactly(true, true);
        assertThat(stored("bad")).isNotNull();
        assertThat(rows().distinct("jobSpecificationKey", String.class)).containsExactly("fair");
        assertThatThrownBy(() ->
                        store.writeRows(List.of(Specimens.minimal("bad", now).row())))
                .as("where only rows are to be written")
                .isInstanceOf(WriteRefusedException.class);
    }

    @Test
    @DisplayName(
            "M6, X9: a row that a unique index of others refuses is not there: the refusal names the index, and the row"
                    + " that is there is no refusal")
    void rowsUniqueToOthers() {
        StoredJob job = insert("k");
        rows().createIndex(new Document("jobSpecificationKey", 1), new IndexOptions().unique(true));
        JobExecutionStatus first = Specimens.minimal("k", now).row();
        JobExecutionStatus there = store.rows(RowQuery.ofDocument(job.id(), 9)).get(0);
        store.writeRows(List.of(there));
        assertThat(first.id()).isNotEqualTo(there.id());
        for (int tries = 0; tries < 2; tries++) {
            assertThatThrownBy(() -> store.writeRows(List.of(there, first)))
                    .isInstanceOf(WriteRefusedException.class)
                    .hasMessageContaining("jobSpecificationKey_1");
        }
        assertThat(store.missingRows(List.of(first.id(), there.id()))).containsExactly(first.id());
    }

    @Test
    @DisplayName(
            "N6, X9: a job that a unique index of others refuses is refused by its name, when it is stored and when it"
                    + " is changed; what has the key or the id already is not")
    void jobsUniqueToOthers() {
        jobs().createIndex(
                        new Document("due", 1), new IndexOptions().unique(true).sparse(true));
        NewJob first = Specimens.minimal("k", now);
        NewJob second = Specimens.minimal("other", now.minusSeconds(9));
        assertThat(store.insert(List.of(first, second))).containsExactly(true, true);
        assertThat(store.insert(List.of(first))).as("its own repetition").containsExactly(true);
        assertThat(store.insert(List.of(Specimens.minimal("k", now.plusSeconds(5)))))
                .as("of a key that is taken")
                .containsExactly(false);
        assertThatThrownBy(() -> store.insert(List.of(Specimens.minimal("new", now))))
                .isInstanceOf(WriteRefusedException.class)
                .hasMessageContaining("due_1");
        assertThat(stored("new")).isNull();
        StoredJob held = claim(List.of(second.job()), 5).get(0);
        JobChange end = ending(held);
        assertThatThrownBy(() -> store.write(List.of(end)))
                .isInstanceOf(WriteRefusedException.class)
                .hasMessageContaining("due_1");
        assertThat(store.find("other", FindScope.LIVE)).contains(held);
    }

    private void fails(String command, int times, Document how) {
        server.failPoint(
                new Document("times", times),
                new Document("failCommands", List.of(command))
                        .append("appName", NAME)
                        .append(
                                how.keySet().iterator().next(),
                                how.values().iterator().next()));
    }

    private void hasNoMajority(String command, int times) {
        Document error = new Document("code", 64)
                .append("codeName", "WriteConcernFailed")
                .append("errmsg", "planned");
        fails(command, times, new Document("writeConcernError", error));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 96, 125, 146, 211})
    @DisplayName("X6: an error that may pass, of any kind, does not block the job that was to be claimed")
    void passing(int code) {
        StoredJob job = insert("k");
        fails("findAndModify", 1, new Document("errorCode", code));
        assertThatThrownBy(() -> doubtful.claim(request(List.of(job), 5))).isInstanceOf(StoreException.class);
        assertThat(stored("k")).doesNotContainKey("blocked").containsKey("due");
        assertThat(doubtful.claim(request(List.of(job), 6)).jobs()).hasSize(1);
    }

    @Test
    @DisplayName("P3: a claim that arrives after the update that was to confirm it is not confirmed")
    void confirmation() {
        StoredJob job = insert("k");
        Instant until = now.plusSeconds(36);
        Renewal confirmation = new Renewal(Map.of(job.id(), 5L), until, until.plusSeconds(2));
        afterCommand = command -> {
            if (command.equals("update")) {
                afterCommand = later -> {};
                claim(List.of(job), 5);
            }
        };
        assertThat(doubtful.renew(confirmation)).isEmpty();
        assertThat(stored("k").get("lease", Document.class).getLong("token")).isEqualTo(5);
        assertThat(doubtful.renew(confirmation))
                .as("the next one lengthens it")
                .extracting(HeldLease::id)
                .containsExactly(job.id());
    }

    @Test
    @DisplayName("P2: a claim of many of which one is refused has no known outcome if no majority has acknowledged it")
    void claimOfMany() {
        List<StoredJob> jobs = insertMany(6);
        StoredJob last = jobs.stream().max(Comparator.comparing(StoredJob::id)).orElseThrow();
        edit(last.key(), Document.parse("{$set: {claimSeq: 'x'}}"));
        hasNoMajority("update", 1);
        assertThatThrownBy(() -> doubtful.claim(request(jobs, 5))).isInstanceOf(StoreException.class);
        List<StoredJob> others = jobs.stream().filter(job -> job != last).toList();
        assertThat(doubtful.claim(request(List.of(last), 6)).blocked())
                .as("a refusal that a majority has seen")
                .hasSize(1);
        assertThat(others).allSatisfy(job -> assertThat(stored(job.key())).doesNotContainKey("blocked"));
    }

    @Test
    @DisplayName("P7: a job that an earlier try has stored is stored only once a majority has acknowledged it")
    void insertAgain() {
        NewJob job = new NewJob(Specimens.minimal("k", now).job(), null);
        NewJob other = new NewJob(Specimens.minimal("k", now).job(), null);
        hasNoMajority("insert", 3);
        assertThatThrownBy(() -> doubtful.insert(List.of(job))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> doubtful.insert(List.of(job))).isInstanceOf(StoreException.class);
        assertThat(doubtful.insert(List.of(other))).as("the key is taken").containsExactly(false);
        assertThat(doubtful.insert(List.of(job))).containsExactly(true);
    }
}
