package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("O1: the views of docs/mongo-views.js")
class MongoViewsTest extends StoreFixture {
    @BeforeEach
    void fill() {
        new JobsInEachState(this).fill();
        createViews();
    }

    private void createViews() {
        ShellText.ofScript("docs/mongo-views.js").forEach(view -> view.run(client.getDatabase(database)));
    }

    private List<String> keys(String view) {
        return collection(view)
                .find()
                .map(row -> row.getString("jobSpecificationKey"))
                .into(new ArrayList<>());
    }

    @Test
    @DisplayName("each shows what it is named after, in its order, and nothing else")
    void shown() {
        assertThat(keys("almanac_running")).containsExactly("runs-longer", "runs", "paused-while-it-runs");
        assertThat(keys("almanac_late")).containsExactly("lost", "late-more", "late");
        assertThat(keys("almanac_failed")).containsExactly("fails-now", "failed-yesterday");
        assertThat(keys("almanac_next")).containsExactly("soon", "later");
    }

    @Test
    @DisplayName("the fields a person needs, with the node's label instead of its id alone")
    void fields() {
        Document running = collection("almanac_running").find().first();
        assertThat(running)
                .containsEntry("type", "note")
                .containsEntry("attempt", 1)
                .containsEntry("owner", "node-1")
                .containsEntry("node", "host-1/4711")
                .containsKeys("nextFireTime", "until", "claimSeq")
                .doesNotContainKeys("_id", "triggerCommand");
        Document late = collection("almanac_late")
                .find(new Document("jobSpecificationKey", "late"))
                .first();
        assertThat(late.getDouble("secondsLate")).isBetween(90.0, 150.0);
        assertThat(late).doesNotContainKey("lostBy");
        Document lost = collection("almanac_late").find().first();
        assertThat(lost).containsEntry("lostBy", "node-1");
        Document failed = collection("almanac_failed").find().first();
        assertThat(failed.get("error")).isEqualTo(new Document("type", "java.io.IOException").append("message", "no"));
        assertThat(failed).containsEntry("outcome", "RETRIES_EXHAUSTED").doesNotContainKey("_id");
    }

    @Test
    @DisplayName("a view of that name that shows something else is refused, not replaced; verify does not report ours")
    void again() {
        assertThat(store.inspect(0).foreign()).isEmpty();
        collection("almanac_running").drop();
        client.getDatabase(database)
                .createView("almanac_running", "jobSpecification", List.of(new Document("$limit", 1)));
        assertThatThrownBy(this::createViews).isInstanceOf(MongoCommandException.class);
        assertThat(keys("almanac_running")).hasSize(1);
    }
}
