package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Rate;
import dev.almanac.model.SchedulingCommand;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A bank takes five calls at a time and ten a second, from all nodes together. Each call is a job of the group bank-api,
 * whose size and rate all nodes of the cluster keep together.
 */
public final class BankApi {
    /** Which calls were begun, in that order. */
    final List<Integer> begun = new CopyOnWriteArrayList<>();

    private final Supplier<CompletionStage<Void>> bank;

    /** @param bank is called; the stage is completed when it has answered */
    BankApi(Supplier<CompletionStage<Void>> bank) {
        this.bank = bank;
    }

    record Call(int number) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.command("call-bank", 1, Call.class).helper(SchedulingHelper.ofAsync(Call.class, this::call));
    }

    private CompletionStage<Void> call(Call call, Execution run) {
        begun.add(call.number());
        return bank.get();
    }

    static void schedule(Scheduler scheduler, int calls) {
        // snippet: group
        scheduler.groups().put("bank-api", new GroupLimits(5, Rate.parse("10/s")));
        scheduler.scheduleJobs(IntStream.range(0, calls)
                .mapToObj(number -> JobSpecification.now("call-" + number, new Call(number)).toBuilder()
                        .jobRequestor("payments")
                        .exclusiveGroup("bank-api")
                        .build())
                .toList());
        // end
    }

    /** Twelve calls, which take a second at least. */
    public static void main(String[] arguments) {
        BankApi example = new BankApi(() -> CompletableFuture.completedFuture(null));
        Example.run(arguments, example::parts, scheduler -> {
            Instant begin = Instant.now();
            schedule(scheduler, 12);
            Example.await(scheduler, "call-0", () -> example.begun.size() == 12);
            System.out.println("12 calls from " + begin + " to " + Instant.now());
        });
    }
}
