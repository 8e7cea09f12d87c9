package dev.almanac.console;

import com.mongodb.MongoException;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.Set;

/** What a client has asked of its server, as far as the exit code of a command depends on it. Thread-safe. */
final class ServerTalk implements CommandListener {
    private static final Set<String> CHANGES =
            Set.of("insert", "update", "delete", "findAndModify", "createIndexes", "collMod");

    /** NotWritablePrimary, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary. */
    private static final Set<Integer> NO_PRIMARY = Set.of(10_107, 13_435, 13_436);

    private volatile boolean answered;
    private volatile boolean changeSent;
    private volatile boolean withoutPrimary;

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

    @Override
    public void commandFailed(CommandFailedEvent event) {
        if (isWithoutPrimary(event.getThrowable())) {
            withoutPrimary = true;
        }
    }

    /** Whether a member of a set says that it is none that takes the command, as in one that was never initiated, or elects. */
    static boolean isWithoutPrimary(Throwable failure) {
        return failure instanceof MongoException refused && NO_PRIMARY.contains(refused.getCode());
    }

    /** Whether a member has said so. The driver repeats the command, and may report only that its time was over. */
    boolean isWithoutPrimary() {
        return withoutPrimary;
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
