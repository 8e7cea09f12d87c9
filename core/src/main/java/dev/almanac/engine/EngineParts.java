package dev.almanac.engine;

import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.model.Retention;
import dev.almanac.runtime.Lanes;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an engine; the facade's builder sets them.
 *
 * @param store remembers the jobs
 * @param settings the numbers
 * @param retention how long finished jobs are kept without a retention of their own
 * @param types the command types
 * @param typeDefaults priority and retries of jobs by their type; {@code *} = all types
 * @param helpers asked in this order
 * @param interceptors surround the calls of helpers, the first one outermost
 * @param listeners receive all events
 * @param calendars the exclusion calendars by name
 * @param calendarReader makes calendars of stored definitions
 * @param defaultCalendar of recurring jobs that name no calendar and do not opt out; absent = none
 * @param serviceName the requestor of jobs that name none; absent = each has to name one
 * @param typeLimits how many runs of a type this node holds at most; {@code *} = each type without a limit of its own
 * @param traces tells the span of a request, on the thread of its caller
 * @param runtime clocks, chance, threads
 */
public record EngineParts(
        JobStore store,
        SchedulerSettings settings,
        Retention retention,
        List<CommandType<?>> types,
        Map<String, TypeDefaults> typeDefaults,
        List<SchedulingHelper> helpers,
        List<RunInterceptor> interceptors,
        List<SchedulerListener> listeners,
        Map<String, ExclusionCalendar> calendars,
        CalendarReader calendarReader,
        @Nullable String defaultCalendar,
        @Nullable String serviceName,
        Map<String, Integer> typeLimits,
        Supplier<Optional<String>> traces,
        Runtime runtime) {

    /**
     * Clocks, source of random numbers, and threads.
     *
     * @param time the clocks
     * @param zone of jobs that name none
     * @param random the source of chance; used by several threads
     * @param lanes run the engine's steps
     * @param executor runs helpers
     * @param neverBlocks whether the executor is known never to block its caller
     * @param close ends the executor if it belongs to the node; the thread of a helper that hangs ends when the helper
     *     returns
     * @param label host and process, for people
     */
    public record Runtime(
            TimeSource time,
            ZoneId zone,
            RandomGenerator random,
            Lanes lanes,
            Executor executor,
            boolean neverBlocks,
            Runnable close,
            String label) {}
}
