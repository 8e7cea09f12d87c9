package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What only a real server can have: indexes, and documents that were edited by hand. */
class InsightDamageTest {
    private final MongoBehind behind = new MongoBehind();
    private final World world = new World(0, behind::store);

    @AfterEach
    void drop() {
        behind.close();
    }

    @Test
    @DisplayName("O3: an index that is missing and a document that cannot be read are found, and left as they are")
    void damage() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("torn").singleSchedule(START.plusSeconds(60)).build());
        MongoCollection<Document> jobs = behind.raw().getCollection("jobSpecification");
        jobs.updateOne(Filters.eq("activeKey", "torn"), Updates.set("zoneId", "Nowhere/Atlantis"));
        jobs.dropIndex("almanac_due");
        for (int look = 0; look < 2; look++) {
            InvariantReport report = a.scheduler().checkInvariants();
            assertThat(report.findings())
                    .extracting(Finding::kind)
                    .containsExactly(Finding.Kind.DAMAGED, Finding.Kind.INDEX);
            assertThat(report.findings().get(0).toString())
                    .startsWith("ALM-041 the document")
                    .contains("torn");
            assertThat(report.findings().get(1).text()).contains("almanac_due", "is missing");
        }
        assertThat(a.scheduler().explainJob("torn").has(Kind.DAMAGED)).isTrue();
    }

    @Test
    @DisplayName("O3: damaged documents at the ends of pages hide none that follow and are told once")
    void pagesOfDamage() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJobs(IntStream.range(0, 2_002)
                        .mapToObj(i -> job("j-" + (10_000 + i))
                                .singleSchedule(START.plusSeconds(60))
                                .build())
                        .toList());
        behind.raw()
                .getCollection("jobSpecification")
                .updateMany(
                        Filters.in("activeKey", "j-10999", "j-11000", "j-11999", "j-12001"),
                        Updates.set("zoneId", "Nowhere/Atlantis"));
        InvariantReport report = a.scheduler().checkInvariants();
        assertThat(report.findings()).extracting(Finding::kind).containsOnly(Finding.Kind.DAMAGED);
        assertThat(report.findings())
                .extracting(Finding::toString)
                .satisfiesExactly(
                        told -> assertThat(told).contains("j-10999"),
                        told -> assertThat(told).contains("j-11000"),
                        told -> assertThat(told).contains("j-11999"),
                        told -> assertThat(told).contains("j-12001"));
        assertThat(report.notChecked()).isEmpty();
    }
}
