package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.Actor;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** As a session, with author and reason of what it changes. */
final class ChangeSession extends Session {
    @Option(
            names = "--author",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "the author of the change (default: the user of this process)")
    private String author;

    @Option(names = "--reason", paramLabel = "TEXT", description = "why, such as the number of a ticket")
    private @Nullable String reason;

    /** @throws IllegalArgumentException if the author is empty, or one of the two is too long */
    Actor actor() {
        return new Actor(author, reason);
    }

    @Override
    Scheduler scheduler(StoreAccess access) {
        return sign(super.scheduler(access));
    }

    /** The scheduler, for requests of this author. */
    Scheduler sign(Scheduler scheduler) {
        Actor by = actor();
        return scheduler.as(by.author(), by.reason());
    }
}
