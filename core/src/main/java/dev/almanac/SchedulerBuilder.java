package dev.almanac;

import dev.almanac.engine.Engine;
import dev.almanac.engine.EngineParts;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.helper.TypedHelper;
import dev.almanac.model.Actor;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.HostName;
import dev.almanac.runtime.Lanes;
import dev.almanac.runtime.RunExecutors;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.ThreadLanes;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.text.EditDistance;
import dev.almanac.text.Printable;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Collects the parts of a {@link Scheduler}; only the store is required. Not thread-safe. */
public final class SchedulerBuilder {
    private final List<CommandType<?>> types = new ArrayList<>();
    private final List<SchedulingHelper> helpers = new ArrayList<>();
    private final List<RunInterceptor> interceptors = new ArrayList<>();
    private final List<SchedulerListener> listeners = new ArrayList<>();
    private final Map<String, ExclusionCalendar> calendars = new LinkedHashMap<>();
    private CalendarReader calendarReader = CalendarReader.NONE;
    private final Map<String, Integer> typeLimits = new LinkedHashMap<>();
    private final Map<String, TypeDefaults> typeDefaults = new LinkedHashMap<>();
    private SchedulerSettings settings = SchedulerSettings.defaults();
    private Retention retention = Retention.DEFAULT;
    private TimeSource time = TimeSource.system();
    private RandomGenerator random = new SecureRandom();
    private @Nullable String label;
    private Supplier<Optional<String>> traces = Optional::empty;
    private Runnable beforeChange = () -> {};
    private @Nullable JobStore store;
    private @Nullable ZoneId zone;
    private @Nullable String defaultCalendar;
    private @Nullable String serviceName;
    private @Nullable Lanes lanes;
    private @Nullable Executor executor;

    SchedulerBuilder() {}

    /** The store of the jobs. Required. */
    public SchedulerBuilder store(JobStore store) {
        this.store = store;
        return this;
    }

    /** Registers a command type under a stable name; the node claims jobs of registered types only. */
    public <C extends SchedulingCommand> SchedulerBuilder command(String name, int version, Class<C> type) {
        return command(CommandType.of(name, version, type));
    }

    /** Registers a command type with its upcasters. */
    public SchedulerBuilder command(CommandType<?> type) {
        types.add(type);
        return this;
    }

    /**
     * Registers a command type together with a function that runs its commands, as {@link SchedulingHelper#of} does.
     *
     * @param name as the database stores it: 1 to 100 letters, digits, dots, dashes or underscores
     * @param version the current layout of the commands, 1 or more
     * @param call runs a command; the run has ended when it returns, and the attempt has failed if it throws
     */
    public <C extends SchedulingCommand> SchedulerBuilder command(
            String name, int version, Class<C> type, TypedHelper.Call<C> call) {
        return command(CommandType.of(name, version, type), SchedulingHelper.of(type, call));
    }

    /** Registers a command type, such as one with upcasters, together with the helper that runs its commands. */
    public <C extends SchedulingCommand> SchedulerBuilder command(CommandType<C> type, TypedHelper<? super C> helper) {
        return command(type).helper(helper);
    }

    /** Adds a helper; the first one in this order that supports a command gets it. */
    public SchedulerBuilder helper(SchedulingHelper helper) {
        helpers.add(helper);
        return this;
    }

    /** Adds code around each attempt of this node; by default there is none. The first one is the outermost (rule S8). */
    public SchedulerBuilder interceptor(RunInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /**
     * As {@link #interceptor}, but outside of all other interceptors, also of those that are added later: for what must see
     * each attempt, such as a trace. Of several, the one that is added last is the outermost.
     */
    public SchedulerBuilder outermostInterceptor(RunInterceptor interceptor) {
        interceptors.add(0, interceptor);
        return this;
    }

    /** Adds a listener for all events of this node; by default there is none. */
    public SchedulerBuilder listener(SchedulerListener listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * A check on the caller's thread before each request that changes jobs, pauses, calendars or groups and takes effect at once,
     * so not before those through {@link Scheduler#in}. What it throws refuses the request. By default there is none; a later one
     * comes after the earlier ones.
     */
    public SchedulerBuilder beforeChange(Runnable check) {
        Runnable first = beforeChange;
        this.beforeChange = () -> {
            first.run();
            check.run();
        };
        return this;
    }

    /**
     * Tells the span in which a request is made (rule S9). It is asked on the caller's thread, before the request, and its answer is
     * stored with the job that is created or changed, or with the run that is asked for: {@link
     * dev.almanac.helper.Execution#traceParent} gives it to the runs. If it throws, or answers with something else, the request
     * goes on without a span, which is logged once. By default there is none.
     *
     * @param traces a {@code traceparent} of W3C Trace Context; empty = the caller is in no span
     */
    public SchedulerBuilder traceParent(Supplier<Optional<String>> traces) {
        this.traces = traces;
        return this;
    }

    /** Adds an exclusion calendar under a name, which jobs can use; by default there is none. A later one replaces it. */
    public SchedulerBuilder calendar(String name, ExclusionCalendar calendar) {
        calendars.put(name, calendar);
        return this;
    }

    /** The reader of calendar definitions that are stored in the database; without one, none can be read. */
    public SchedulerBuilder calendarReader(CalendarReader reader) {
        this.calendarReader = reader;
        return this;
    }

    /**
     * The default calendar of this application: recurring jobs that name no calendar and do not ignore it get it when they
     * are stored; by default none. A scheduler without this setting leaves the calendars that others have so set alone.
     */
    public SchedulerBuilder defaultCalendar(String name) {
        this.defaultCalendar = name;
        return this;
    }

    /**
     * How many runs of a command type this node holds at most; by default only {@code maxConcurrentRuns} limits them.
     *
     * @param commandType the name of the type; {@code *} = each type that has no limit of its own. {@link #build} refuses
     *     the name of a type that is not registered, unless this scheduler has no types at all
     * @param runs 1 or more
     * @throws IllegalArgumentException if it is less: no job of the type would ever be claimed
     */
    public SchedulerBuilder typeLimit(String commandType, int runs) {
        if (runs < 1) {
            throw new IllegalArgumentException("the type limit of '" + Printable.value(commandType) + "' is " + runs
                    + " runs, but must be 1 or more; to run none, pause the type, or do not register it on this node");
        }
        typeLimits.put(commandType, runs);
        return this;
    }

    /**
     * Defaults for jobs of a command type, replacing those that it was registered with; by default there are none.
     *
     * @param commandType the name of the type; {@code *} = all types, for what neither the type nor its defaults set.
     *     {@link #build} refuses the name of a type that is not registered, unless this scheduler has no types at all
     */
    public SchedulerBuilder typeDefaults(String commandType, TypeDefaults defaults) {
        typeDefaults.put(commandType, defaults);
        return this;
    }

    /**
     * A name that no type has would be without effect (rule S15). A scheduler without types runs nothing, and stores jobs of
     * types that it cannot know.
     */
    private void refuseUnknownTypes() {
        Set<String> known = new TreeSet<>(Set.of(CommandRegistry.ALL));
        types.forEach(type -> {
            known.add(type.name());
            known.addAll(type.aliases());
        });
        List<String> problems = new ArrayList<>();
        typeLimits.keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problems.add(unknown("limit", name, known)));
        typeDefaults.keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problems.add(unknown("defaults", name, known)));
        if (!types.isEmpty() && !problems.isEmpty()) {
            throw new IllegalStateException(String.join("\n", problems));
        }
    }

    private static String unknown(String what, String name, Set<String> known) {
        String near = EditDistance.near(
                        known, word -> EditDistance.of(word, name), word -> Math.max(1, word.length() / 3))
                .filter(word -> !word.equals(CommandRegistry.ALL))
                .findFirst()
                .map(word -> "; did you mean '" + word + "'?")
                .orElse("");
        return "the type " + what + " of '" + Printable.value(name) + "' would have no effect: no such command type is"
                + " registered; known are " + String.join(", ", known) + near;
    }

    /** The numeric settings; by default {@link SchedulerSettings#defaults()}. */
    public SchedulerBuilder settings(SchedulerSettings settings) {
        this.settings = settings;
        return this;
    }

    /**
     * How long finished jobs are kept unless they have a retention of their own; by default {@link Retention#DEFAULT}.
     *
     * @throws IllegalArgumentException if a duration is negative or longer than a hundred years
     */
    public SchedulerBuilder retention(Retention retention) {
        for (Duration kept :
                List.of(retention.good(), retention.failed(), retention.canceled(), retention.superseded())) {
            if (kept.isNegative() || kept.compareTo(RetryPolicy.LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "retention " + kept + " is not within zero to " + RetryPolicy.LONGEST + ", a hundred years");
            }
        }
        this.retention = retention;
        return this;
    }

    /** The zone of jobs that name none; by default the system's. */
    public SchedulerBuilder zone(ZoneId zone) {
        this.zone = zone;
        return this;
    }

    /** The executor that calls helpers; by default virtual threads if the JVM has them, else a bounded pool. */
    public SchedulerBuilder executor(Executor executor) {
        this.executor = executor;
        return this;
    }

    /**
     * The name of the service, the same on all of its nodes: the requestor of jobs that name none, and the author of
     * requests that name none. Without it each job must name its requestor.
     *
     * @param name 1 to 256 characters, no control characters; null = none, as by default
     */
    public SchedulerBuilder serviceName(@Nullable String name) {
        if (name != null
                && (name.isEmpty() || name.length() > 256 || name.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException("the service's name must be 1 to 256 characters, none of them a control"
                    + " character; leave it out for none");
        }
        this.serviceName = name;
        return this;
    }

    /**
     * The label that shows this node to people; by default host name and process id, such as {@code web-7c9/1}. Never
     * stored in a job. Best different for each node: a standby of a label that several have is refused.
     */
    public SchedulerBuilder label(String label) {
        this.label = label;
        return this;
    }

    /** For tests: the clocks. */
    public SchedulerBuilder time(TimeSource time) {
        this.time = time;
        return this;
    }

    /** For tests: the source of chance; used by several threads. */
    public SchedulerBuilder random(RandomGenerator random) {
        this.random = random;
        return this;
    }

    /** For tests: runs the engine's own steps. */
    public SchedulerBuilder lanes(Lanes lanes) {
        this.lanes = lanes;
        return this;
    }

    /**
     * The scheduler; nothing is opened or started yet.
     *
     * @throws IllegalStateException if there is no store, if the default calendar is not known, or if a type limit or type
     *     defaults name a type that is not registered, and others are
     */
    public Scheduler build() {
        if (store == null) {
            throw new IllegalStateException("a scheduler needs a store: builder().store(MongoJobStore.create(client))");
        }
        if (defaultCalendar != null
                && !calendars.containsKey(defaultCalendar)
                && calendarReader == CalendarReader.NONE) {
            throw new IllegalStateException(
                    "the default calendar '" + defaultCalendar + "' is not known; known are " + calendars.keySet());
        }
        refuseUnknownTypes();
        EngineParts parts = new EngineParts(
                store,
                settings,
                retention,
                List.copyOf(types),
                Map.copyOf(typeDefaults),
                List.copyOf(helpers),
                List.copyOf(interceptors),
                List.copyOf(listeners),
                Map.copyOf(calendars),
                calendarReader,
                defaultCalendar,
                serviceName,
                Map.copyOf(typeLimits),
                traces,
                runtime());
        return new SchedulerNode(
                new Engine(parts),
                store,
                Actor.named(serviceName == null ? Actor.UNKNOWN : serviceName, null),
                beforeChange);
    }

    private EngineParts.Runtime runtime() {
        ExecutorService own = executor == null ? RunExecutors.standard(settings.maxConcurrentRuns()) : null;
        return new EngineParts.Runtime(
                time,
                zone == null ? time.zone() : zone,
                random,
                lanes == null ? new ThreadLanes("almanac") : lanes,
                executor == null ? own : executor,
                own != null,
                own == null ? () -> {} : own::shutdown,
                label == null ? HostName.ofProcess() : label);
    }
}
