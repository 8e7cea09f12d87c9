package dev.almanac.engine.port;

import dev.almanac.helper.CommandRegistry;
import dev.almanac.helper.Execution;
import dev.almanac.helper.JobRequests;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The service's helpers in the order of their registration, and the types of its commands.
 *
 * @param registry the command types
 * @param helpers asked in this order
 * @param interceptors surround their calls, the first one outermost (rule S8)
 * @param failures counts the exceptions of {@code supports}
 * @param types the registered types that some helper may support, as far as helpers declare their types (rule R8)
 * @param requests what the runs of a job, by its key, make their own requests with (rule S6)
 */
public record Helpers(
        CommandRegistry registry,
        List<SchedulingHelper> helpers,
        List<RunInterceptor> interceptors,
        ContainedFailures failures,
        Set<String> types,
        Function<String, JobRequests> requests) {

    /** Asks the helpers once for what they support. */
    public static Helpers of(
            CommandRegistry registry,
            List<SchedulingHelper> helpers,
            List<RunInterceptor> interceptors,
            ContainedFailures failures,
            Function<String, JobRequests> requests) {
        return new Helpers(
                registry, List.copyOf(helpers), interceptors, failures, types(registry, helpers, failures), requests);
    }

    private static Set<String> types(
            CommandRegistry registry, List<SchedulingHelper> helpers, ContainedFailures failures) {
        Set<Class<?>> supported = new HashSet<>();
        for (SchedulingHelper helper : helpers) {
            Optional<Set<Class<? extends SchedulingCommand>>> own = types(helper, failures);
            if (own.isEmpty()) {
                return registry.names();
            }
            supported.addAll(own.get());
        }
        return registry.names(supported);
    }

    private static Optional<Set<Class<? extends SchedulingCommand>>> types(
            SchedulingHelper helper, ContainedFailures failures) {
        try {
            return helper.commandTypes();
        } catch (Throwable e) {
            failures.add(ContainedFailures.name(helper) + ".commandTypes, which counts as unknown,", e);
            return Optional.empty();
        }
    }

    /** The first helper that supports the command. A {@code supports} that throws counts as false. */
    public Optional<SchedulingHelper> supporting(SchedulingCommand command, Execution execution) {
        return helpers.stream()
                .filter(helper -> supports(helper, command, execution))
                .findFirst();
    }

    private boolean supports(SchedulingHelper helper, SchedulingCommand command, Execution execution) {
        try {
            return helper.supports(command, execution);
        } catch (Throwable e) {
            failures.add(ContainedFailures.name(helper) + ".supports, which counts as no,", e);
            return false;
        }
    }
}
