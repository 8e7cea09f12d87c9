package dev.almanac.console.connection;

import dev.almanac.Scheduler;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.model.Actor;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Author and reason of a change. A mixin of all commands that change stored data. */
public final class ActorOptions {
    @Option(
            names = "--author",
            paramLabel = "NAME",
            description = "the author of the change (default: the user of this process)")
    private @Nullable String author;

    @Option(names = "--reason", paramLabel = "TEXT", description = "why, such as the number of a ticket")
    private @Nullable String reason;

    /** For picocli. */
    public ActorOptions() {}

    /**
     * The scheduler, for requests of this author.
     *
     * @throws InvalidInputException if the author is empty, or one of the two is too long
     */
    public Scheduler sign(Scheduler scheduler) {
        Actor by = actor();
        return scheduler.as(by.author(), by.reason());
    }

    /**
     * Who asks, for what no scheduler does.
     *
     * @throws InvalidInputException if the author is empty, or one of the two is too long
     */
    public Actor actor() {
        try {
            return new Actor(authorOrUser(author), reason);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        }
    }

    /** The author that was given, else the user of this process. */
    public static String authorOrUser(@Nullable String author) {
        return author == null ? System.getProperty("user.name", "unknown") : author;
    }
}
