package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What became of planned fires, as the command line says it (rule S22). */
class FiresCommandTest {
    /** A minute that is over, and two that follow it. */
    private static final Instant FIRST = Instant.now().minusSeconds(600).truncatedTo(ChronoUnit.MINUTES);

    private final ConsoleFixture console = ConsoleFixture.withStore();

    @BeforeEach
    void schedule() {
        console.schedule("waits", "--cron", "0 * * * * ?", "--zone", "UTC", "--tag", "t");
        console.schedule("later", "--cron", "0 0 12 * * ?", "--zone", "UTC", "--start", "2100-01-01T00:00:00Z");
        since("waits", FIRST.minusSeconds(1));
        document("waits", Updates.set("nextFireTime", date(FIRST)));
    }

    @AfterEach
    void close() {
        console.close();
    }

    private static Date date(Instant instant) {
        return Date.from(instant);
    }

    private void document(String key, Bson edit) {
        console.database().getCollection("jobSpecification").updateOne(Filters.eq("jobSpecificationKey", key), edit);
    }

    /** As if the job had been stored then. */
    private void since(String key, Instant stored) {
        Bson time = Updates.set("updatedTime", date(stored));
        console.database().getCollection("jobExecutionStatus").updateMany(Filters.eq("jobSpecificationKey", key), time);
        document(
                key,
                Updates.combine(
                        Updates.set("latestUpdate", date(stored)),
                        Updates.set("lastStatus.updatedTime", date(stored))));
    }

    @Test
    @DisplayName("8: a --since that is still to come is refused by whatever looks back; now is not")
    void sinceToCome() {
        for (String look : new String[] {
            "fires waits",
            "fires --all",
            "jobs history waits",
            "jobs history --failed",
            "lateness",
            "jobs rerun --failed --yes",
            "jobs acknowledge --failed --yes"
        }) {
            CommandResult told = console.run((look + " --since 2100-01-01T00:00:00Z").split(" "));
            assertThat(told.exit()).as(look + told.all()).isEqualTo(2);
            assertThat(told.err())
                    .startsWith("almanac: --since '2100-01-01T00:00:00Z' is 2100-01-01 00:00:00 UTC, which is to come");
            assertThat(told.out()).isEmpty();
            assertThat(console.run((look + " --since 0s").split(" ")).exit())
                    .as(look)
                    .isZero();
        }
    }

    @Test
    @DisplayName("S22: fires that are due wait, each with its account; exit code 0")
    void waiting() {
        CommandResult answer = console.run("fires", "waits", "--since", "1h");
        assertThat(answer.exit()).isZero();
        assertThat(answer.out()).contains("WAITING", "the job is SCHEDULED").doesNotContain("UNACCOUNTED");
        assertThat(answer.err()).isEmpty();
        assertThat(console.run("fires", "later").out()).contains("none was planned");
    }

    @Test
    @DisplayName(
            "S22: a fire that the job has passed without a row is unaccounted for; exit code 1, also among many jobs")
    void unaccounted() {
        document("waits", Updates.set("nextFireTime", date(FIRST.plus(Duration.ofMinutes(2)))));
        CommandResult one = console.run("fires", "waits", "--since", "1h");
        assertThat(one.exit()).isEqualTo(1);
        assertThat(one.out()).contains("2 UNACCOUNTED", "WAITING", "no row and no change tells of it");
        CommandResult json = console.run("fires", "waits", "--since", "1h", "--json");
        assertThat(json.exit()).isEqualTo(1);
        assertThat(json.out()).contains("\"kind\":\"UNACCOUNTED\"", "\"count\":2", "\"UNACCOUNTED\":2");
        for (String[] many : new String[][] {{"--all"}, {"--where-tag", "t"}}) {
            String[] words = new String[many.length + 3];
            words[0] = "fires";
            System.arraycopy(many, 0, words, 1, many.length);
            words[many.length + 1] = "--since";
            words[many.length + 2] = "1h";
            CommandResult answer = console.run(words);
            assertThat(answer.exit()).isEqualTo(1);
            assertThat(answer.out()).contains("'waits': 2 unaccounted for").doesNotContain("'later'");
        }
        assertThat(console.run("fires", "--where-tag", "other").exit()).isZero();
    }

    @Test
    @DisplayName("S22: jobs that cannot be read are counted: nothing is known of their fires")
    void damaged() {
        assertThat(console.run("fires", "--all").out()).contains("2 jobs,").doesNotContain("cannot be read");
        document("later", Updates.set("claimSeq", "many"));
        assertThat(console.run("fires", "--all").out()).contains("1 job,", "1 job cannot be read");
        assertThat(console.run("fires", "--all", "--json").out()).contains("\"read\":1", "\"damaged\":1");
    }

    @Test
    @DisplayName("S22: fires of an unknown key are not found; no selection, and two, are refused")
    void refused() {
        assertThat(console.run("fires", "nothing").exit()).isEqualTo(3);
        assertThat(console.run("fires").err()).contains("which jobs?");
        assertThat(console.run("fires", "waits", "--all").err()).contains("which jobs?");
        assertThat(console.run("fires", "--where-tag", "").err()).contains("--where-tag is empty");
    }

    @Test
    @DisplayName("S22: the sum for many jobs says of how many only a shorter time can be told, and since when")
    void limited() {
        assertThat(console.run("fires", "--all", "--since", "1h").out()).doesNotContain("can be told");
        CommandResult answer = console.run("fires", "--all", "--since", "30d");
        assertThat(answer.out()).doesNotContain("can be told");
        since("waits", Instant.now().minus(Duration.ofDays(20)));
        CommandResult kept = console.run("fires", "--where-tag", "t", "--since", "10d");
        assertThat(kept.out()).containsPattern("of 1 job only fires since \\S+ .*can be told");
        assertThat(console.run("fires", "--all", "--since", "10d", "--json").out())
                .contains("\"limited\":1", "\"from\":");
    }
}
