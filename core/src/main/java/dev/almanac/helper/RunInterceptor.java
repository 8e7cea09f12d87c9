package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.util.concurrent.CompletionStage;

/**
 * Code around each attempt of this node, whichever helper runs it (rule S8): for the MDC, a security context, a measurement, or
 * a veto. The first registered one is the outermost. Implementations are called by many threads concurrently.
 *
 * <pre>{@code
 * (run, command, next) -> {
 *     try (var closing = tenant.enter(run.jobSpecificationKey())) {
 *         next.run();
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface RunInterceptor {
    /**
     * Surrounds the call of the helper, on its thread. Once {@code next} is called, the outcome is that of the helper, even if its
     * exception is caught here or another one is thrown, which is logged and shown by {@code Scheduler.health()}.
     *
     * @param execution the attempt
     * @param command what the helper gets
     * @param next calls the next interceptor, or the helper; it is called once, on this thread, before this method returns
     * @throws SkipException before {@code next} is called: the helper is not called, and the fire ends as SKIPPED
     * @throws Exception before {@code next} is called: the attempt has failed, as if the helper had thrown it. So it does if
     *     neither {@code next} is called nor anything is thrown
     */
    void around(Execution execution, SchedulingCommand command, Next next) throws Exception;

    /** What an interceptor surrounds. */
    @FunctionalInterface
    interface Next {
        /**
         * Calls the helper; what it throws is thrown here.
         *
         * @return completes as the stage of the helper does, for a measurement of runs that end later; completing it does not
         *     end the run
         * @throws IllegalStateException if it was called before, or is called on another thread than {@link #around}, or after it
         *     has returned; then no helper is called
         */
        CompletionStage<Void> run() throws Exception;
    }
}
