package dev.almanac.behaviour;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What a driver sends to a real server, and which of it rule P10 forbids. */
final class ServerCommands implements CommandListener {
    private static final Set<String> PLAIN = Set.of("hello", "find", "getMore", "insert", "update", "findAndModify");
    private static final Set<String> RETRYABLE = Set.of("insert", "update", "findAndModify");
    private static final Set<String> OF_TRANSACTIONS = Set.of("startTransaction", "autocommit");
    private static final Set<String> SCRIPTS = Set.of("$where", "$function", "$accumulator", "$changeStream");

    private final boolean retryWrites;
    private final List<BsonDocument> sent = new CopyOnWriteArrayList<>();

    /** @param retryWrites whether the driver may number its writes, so that it can send them again */
    ServerCommands(boolean retryWrites) {
        this.retryWrites = retryWrites;
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        sent.add(BsonDocument.parse(event.getCommand().toJson()));
    }

    void forget() {
        sent.clear();
    }

    List<BsonDocument> sent() {
        return List.copyOf(sent);
    }

    /** Whether a command of that name has said this, anywhere in it. */
    boolean has(String name, String words) {
        return sent.stream()
                .anyMatch(command ->
                        command.getFirstKey().equals(name) && command.toJson().contains(words));
    }

    /** What is sent and must not be; each with its command. */
    List<String> forbidden() {
        return sent.stream().flatMap(command -> forbidden(command).stream()).toList();
    }

    List<String> forbidden(BsonDocument command) {
        String name = command.getFirstKey();
        List<String> wrong = new ArrayList<>();
        if (!PLAIN.contains(name) && !isCount(command)) {
            wrong.add("the command " + name);
        }
        if (command.containsKey("txnNumber") && !(retryWrites && RETRYABLE.contains(name))) {
            wrong.add("a numbered write");
        }
        // the driver's own sessions see no order of reads; one of the caller's would ask for it
        if (command.getDocument("readConcern", new BsonDocument()).containsKey("afterClusterTime")) {
            wrong.add("a session");
        }
        if (updates(command).anyMatch(update -> !update.isDocument())) {
            wrong.add("an update pipeline");
        }
        names(command)
                .filter(field -> OF_TRANSACTIONS.contains(field) || SCRIPTS.contains(field))
                .forEach(wrong::add);
        return wrong.stream().map(what -> what + " in " + command.toJson()).toList();
    }

    /** An aggregation that counts what a query finds, and does nothing else. */
    private static boolean isCount(BsonDocument command) {
        return command.getFirstKey().equals("aggregate")
                && command.getArray("pipeline").stream()
                        .allMatch(stage -> Set.of("$match", "$limit", "$group")
                                .contains(stage.asDocument().getFirstKey()));
    }

    private static Stream<BsonValue> updates(BsonDocument command) {
        Stream<BsonValue> one =
                Stream.ofNullable(command.getFirstKey().equals("findAndModify") ? command.get("update") : null);
        return command.getFirstKey().equals("update")
                ? command.getArray("updates").stream()
                        .map(update -> update.asDocument().get("u"))
                : one;
    }

    /** The names of all fields, at any depth. */
    private static Stream<String> names(BsonValue value) {
        if (value.isDocument()) {
            return value.asDocument().entrySet().stream()
                    .flatMap(field -> Stream.concat(Stream.of(field.getKey()), names(field.getValue())));
        }
        return value.isArray() ? value.asArray().stream().flatMap(ServerCommands::names) : Stream.empty();
    }
}
