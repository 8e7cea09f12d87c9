package dev.almanac.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.testkit.server.MongoServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.bson.Document;

/** The database {@code almanac} on a server with authentication, with roles and users as docs/security.md makes them. */
final class SecuredDatabase implements AutoCloseable {
    static final String PASSWORD = "never-to-be-seen";

    final MongoServer server = MongoServer.secured();
    final MongoClient administrator = MongoClients.create(server.uri());
    final MongoClient bootstrap;
    final MongoClient runtime;
    final MongoClient reader;

    SecuredDatabase() throws IOException {
        Map<String, ShellText> page = ShellText.ofPage("docs/security.md");
        page.values().forEach(this::create);
        bootstrap = client("almanac-pipeline");
        runtime = client("almanac-service");
        reader = client("almanac-person");
    }

    private void create(ShellText block) {
        String text = block.text().replace("passwordPrompt()", '"' + PASSWORD + '"');
        ShellText.Call call = new ShellText(text).calls().get(0);
        Document arguments = call.document(0);
        String kind = call.name().equals("createRole") ? "role" : "user";
        Document command = new Document(call.name(), arguments.remove(kind));
        command.putAll(arguments);
        database().runCommand(command);
    }

    private MongoClient client(String user) {
        return MongoClients.create(server.uri(user, PASSWORD, "almanac"));
    }

    MongoDatabase database() {
        return administrator.getDatabase("almanac");
    }

    @Override
    public void close() {
        List.of(reader, runtime, bootstrap, administrator).forEach(MongoClient::close);
        server.close();
    }
}
