package dev.almanac.console.operate;

import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.PauseScope;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code almanac nodes resume}. */
@Command(name = "resume", mixinStandardHelpOptions = true, description = "Ends the standby of a node.")
final class NodeResumeCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NODE", description = "the id or label that almanac nodes standby was given")
    private String node;

    @Mixin
    private ActorOptions actor;

    @Override
    protected int answer(StoreAccess access, Output out) {
        boolean held = actor.sign(access.scheduler()).resume(PauseScope.node(node));
        if (out.isJson()) {
            out.json(Map.of("node", node, "resumed", held));
        } else {
            out.line(node + (held ? " claims again" : " was not on standby, nothing was changed"));
        }
        return 0;
    }
}
