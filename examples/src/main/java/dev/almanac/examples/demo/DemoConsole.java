package dev.almanac.examples.demo;

import com.mongodb.client.MongoClient;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.web.ConsoleServlet;
import dev.almanac.web.Standalone;
import dev.almanac.web.TokenAccess;
import dev.almanac.web.Viewer;
import java.io.IOException;
import java.time.ZoneId;

/** The console on the day of the demo. */
final class DemoConsole {
    private DemoConsole() {}

    static Standalone open(MongoClient client, String database) throws IOException {
        MongoJobStore store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
        // the console only looks, and may be opened before a node has made the store
        store.open();
        return Standalone.start(
                ConsoleServlet.builder()
                        .store(store)
                        .title("Payments day")
                        .zone(ZoneId.of("Europe/Brussels"))
                        .allowChanges(true),
                TokenAccess.oneTime(Viewer.operator("visitor")),
                Standalone.LOOPBACK,
                0);
    }
}
