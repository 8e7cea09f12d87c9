package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import dev.almanac.store.StoreRefusedException;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("O1: the views of the Mongo shell")
class MongoViewsTest extends StoreFixture {
    private static final List<String> NAMES =
            List.of("almanac_running", "almanac_late", "almanac_failed", "almanac_next");

    private final MongoViews views = MongoViews.of(client, settings);

    @BeforeEach
    void fill() {
        new JobsInEachState(this).fill();
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
        assertThat(views.create()).isEqualTo(NAMES);
        assertThat(keys("almanac_running")).containsExactly("runs-longer", "runs", "paused-while-it-runs");
        assertThat(keys("almanac_late")).containsExactly("lost", "late-more", "late");
        assertThat(keys("almanac_failed")).containsExactly("fails-now", "failed-yesterday");
        assertThat(keys("almanac_next")).containsExactly("soon", "later");
    }

    @Test
    @DisplayName("the fields a person needs, with the node's label instead of its id alone")
    void fields() {
        views.create();
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
    @DisplayName("creating twice is creating once; an older text is replaced; a prefix keeps two schedulers apart")
    void again() {
        client.getDatabase(database).createView("almanac_late", "jobSpecification", List.of(new Document("$limit", 1)));
        views.create();
        assertThat(views.create()).isEqualTo(NAMES);
        assertThat(keys("almanac_late")).hasSize(3);
        MongoViews other = MongoViews.of(client, settings.withCollectionPrefix("b_"));
        assertThat(other.create()).contains("b_almanac_late");
        assertThat(keys("b_almanac_late")).isEmpty();
    }

    @Test
    @DisplayName("dropping takes the views away and nothing else; dropping again finds none")
    void drop() {
        views.create();
        long before = jobs().countDocuments();
        assertThat(views.drop()).isEqualTo(NAMES);
        assertThat(views.drop()).isEmpty();
        assertThat(client.getDatabase(database).listCollectionNames())
                .doesNotContainAnyElementsOf(NAMES)
                .contains("jobSpecification");
        assertThat(jobs().countDocuments()).isEqualTo(before);
    }

    @Test
    @DisplayName("a collection that has the name of a view is refused and left alone, by create and by drop")
    void collectionInTheWay() {
        collection("almanac_failed").insertOne(new Document("mine", 1));
        for (Runnable asked : List.<Runnable>of(views::create, views::drop)) {
            assertThatThrownBy(asked::run)
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("ALM-010")
                    .hasMessageContaining("almanac_failed")
                    .hasMessageContaining("is a collection, not a view");
        }
        assertThat(collection("almanac_failed").countDocuments()).isEqualTo(1);
    }

    @Test
    @DisplayName("nobody can write through a view")
    void readOnly() {
        views.create();
        assertThatThrownBy(() -> collection("almanac_late").deleteMany(new Document()))
                .isInstanceOf(MongoException.class);
    }
}
