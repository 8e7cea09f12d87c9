package dev.almanac.console;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.Set;

/** What a client has asked of its server, as far as the exit code of a command depends on it. Thread-safe. */
final class ServerTalk implements CommandListener {
    private static final Set<String> CHANGES =
            Set.of("insert", "update", "delete", "findAndModify", "createIndexes", "collMod");

    private volatile boolean answered;
    private volatile boolean changeSent;

    @Override
    public void commandStarted(CommandStartedEvent event) {
        if (CHANGES.contains(event.getCommandName())) {
            changeSent = true;
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        // which a server answers to anyone, also without a primary
        if (!event.getCommandName().equals("hello")) {
            answered = true;
        }
    }

    /** Whether the server has answered a command with data: there is one that takes requests, and it has accepted the user. */
    boolean isAnswered() {
        return answered;
    }

    /** Whether a command was sent that changes what is stored; it may have been carried out without an answer. */
    boolean isChangeSent() {
        return changeSent;
    }
}
