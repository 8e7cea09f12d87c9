package dev.almanac.console.jobs;

import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.NotFoundException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.mongo.MongoJobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac jobs remove}. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Removes a document that cannot be read: it is not claimed any more, and its key becomes free.",
            "It stays in the database for 30 days. A job that can be read is cancelled: almanac jobs cancel KEY."
        })
final class RemoveCommand extends StoreCommand {
    private static final Duration KEPT = Duration.ofDays(30);

    @Parameters(index = "0", paramLabel = "KEY", description = "the job's key")
    private String key;

    @Option(names = "--damaged", required = true, description = "only a document that cannot be read")
    private boolean damaged;

    @Mixin
    private ActorOptions actor;

    @Override
    protected int answer(StoreAccess access, Output out) {
        MongoJobStore store = access.store();
        store.open();
        Instant end = store.serverTime().plus(KEPT);
        if (!damaged || !store.removeDamaged(key, end, actor.actor())) {
            throw new NotFoundException("no document of key '" + key
                    + "' that cannot be read; a job that can be read is cancelled: almanac jobs cancel " + key);
        }
        if (out.isJson()) {
            out.json(Map.of("jobSpecificationKey", key, "deleteTime", end.toString()));
        } else {
            out.line(key + " was removed; its document expires at " + Times.both(end, ZoneOffset.UTC));
        }
        return 0;
    }
}
