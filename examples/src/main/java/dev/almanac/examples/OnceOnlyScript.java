package dev.almanac.examples;

import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A script of which a second run would be worse than none. If its node dies during the run, it is not known how far it
 * came: with {@code crashPolicy FAIL} the fire is recorded as CRASHED and a person decides. If the node dies before the
 * script was started, another node runs it: that start was on record, or it did not happen.
 */
public final class OnceOnlyScript {
    final List<String> started = new CopyOnWriteArrayList<>();
    private final Supplier<CompletionStage<Void>> script;

    /** @param script runs until its stage ends */
    OnceOnlyScript(Supplier<CompletionStage<Void>> script) {
        this.script = script;
    }

    record RunScript(String name) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName("migration")
                .command("run-script", 1, RunScript.class)
                .helper(SchedulingHelper.ofAsync(RunScript.class, (command, run) -> {
                    started.add(command.name());
                    return script.get();
                }));
    }

    static JobSpecification once(String name, Instant at) {
        // snippet: at-most-once
        return JobSpecification.oneOff("script-" + name, at, new RunScript(name)).toBuilder()
                .crashPolicy(CrashPolicy.FAIL)
                .build();
        // end
    }

    /** A script that ends well. */
    public static void main(String[] arguments) {
        OnceOnlyScript example = new OnceOnlyScript(() -> CompletableFuture.completedFuture(null));
        Example.run(arguments, example::parts, scheduler -> {
            scheduler.scheduleJob(once("move-accounts", Instant.now().plusMillis(500)));
            Example.awaitEnd(scheduler, "script-move-accounts");
        });
        System.out.println("started: " + example.started);
    }
}
