package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.testkit.server.MongoServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IndexesCommandTest {
    @Test
    @DisplayName("6.2: verify finds what is missing with exit code 1, create mends it, bad input is exit code 2")
    void indexes() {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        String[] verify = {"indexes", "verify", "--uri", server.uri(), "--database", database};
        String[] create = {"indexes", "create", "--uri", server.uri(), "--database", database};
        assertThat(Main.run(verify)).isEqualTo(1);
        assertThat(Main.run(create)).isZero();
        assertThat(Main.run(verify)).isZero();
        try (MongoClient client = MongoClients.create(server.uri())) {
            client.getDatabase(database).getCollection("jobSpecification").dropIndex("almanac_due");
            assertThat(Main.run(verify)).isEqualTo(1);
            client.getDatabase(database).drop();
        }
        assertThat(Main.run("indexes", "create")).isEqualTo(2);
        assertThat(Main.run("indexes")).isEqualTo(2);
        assertThat(Main.run("cron", "next", "0 0 25 * * ?")).isEqualTo(2);
        assertThat(Main.run("cron", "next", "0 0 12 * * ?", "--zone", "Europe/Brussel"))
                .isEqualTo(2);
    }
}
