package dev.almanac.behaviour;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What nobody expects: exceptions and Errors out of helpers, {@code supports}, listeners, calendars, codecs, the service's
 * executor and the store, before or after a call was applied. Only the run concerned may suffer, and every node goes on (rule X2).
 */
final class SimulationSeams {
    /** For so long a node may leave a job alone after that. */
    private static final Duration LEFT_ALONE = Duration.ofSeconds(31);
    /** These answer at once, from memory. */
    private static final Set<String> NO_CALLS = Set.of("cluster", "commandCodec", "toString", "hashCode", "equals");

    private final SplittableRandom random;
    private final SimulationFaults faults;
    private final boolean throwing;
    private boolean faulty;

    /** Planned. */
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;

        Broken(String where) {
            super("planned, from " + where);
        }
    }

    /** Planned, and worse. */
    static final class Fatal extends Error {
        private static final long serialVersionUID = 1;

        Fatal(String where) {
            super("planned, from " + where);
        }
    }

    /** @param throwing whether anything is thrown at all */
    SimulationSeams(SplittableRandom random, SimulationFaults faults, boolean throwing) {
        this.random = random;
        this.faults = faults;
        this.throwing = throwing;
    }

    /** Whether anything is thrown from now on. */
    void faulty(boolean may) {
        faulty = may;
    }

    /** Code of the service on that node is called. */
    void enter(int node, String where) {
        enter(node, where, 25);
    }

    private void enter(int node, String where, int oneIn) {
        if (throwing && faulty && random.nextInt(oneIn) == 0) {
            faults.lasting(node, LEFT_ALONE);
            if (random.nextBoolean()) {
                throw new Broken(where);
            }
            throw new Fatal(where);
        }
    }

    /** The way of that node to the store, on which calls throw, also those that were applied. */
    JobStore over(int node, JobStore store) {
        if (!throwing) {
            return store;
        }
        ClusterStore cluster = StoreHook.over(
                ClusterStore.class, store.cluster(), (method, arguments, call) -> passing(node, method, call));
        CommandCodec codec = codec(node, store.commandCodec());
        return StoreHook.over(store, (method, arguments, call) -> switch (method) {
            case "cluster" -> cluster;
            case "commandCodec" -> codec;
            default -> passing(node, method, call);
        });
    }

    /** A calendar on that node, which throws now and then. */
    ExclusionCalendar over(int node, ExclusionCalendar calendar) {
        return new HookedCalendar(calendar, () -> enter(node, "calendar"));
    }

    private CommandCodec codec(int node, CommandCodec codec) {
        return new CommandCodec() {
            @Override
            public Map<String, Object> encode(SchedulingCommand command) {
                enter(node, "encode");
                return codec.encode(command);
            }

            @Override
            public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
                enter(node, "decode");
                return codec.decode(body, type);
            }
        };
    }

    private Object passing(int node, String method, StoreHook.Call call) throws Throwable {
        if (NO_CALLS.contains(method)) {
            return call.proceed();
        }
        enter(node, method, 250);
        Object answer = call.proceed();
        if (!method.equals("write")) {
            // of a write that may have been applied a store tells by a StoreException
            enter(node, method, 250);
        }
        return answer;
    }

    /** A node on which a look that has failed so is never taken for over. */
    static JobStore withoutEnd(JobStore store) {
        boolean[] looking = {false};
        return StoreHook.over(store, (method, arguments, call) -> {
            if (!method.equals("due")) {
                return call.proceed();
            }
            if (looking[0]) {
                return List.of();
            }
            try {
                return call.proceed();
            } catch (StoreException expected) {
                throw expected;
            } catch (RuntimeException | Error unexpected) {
                looking[0] = true;
                throw unexpected;
            }
        });
    }
}
