package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.Run;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Pauses of many jobs at once: of everything, of a command type, of a tag, of a node; and what holds for those of one job.
 * Nothing starts from a second after a pause was acknowledged (rule X10).
 */
final class SimulationPauses {
    /** Of about half of the jobs. */
    static final String TAG = "red";

    private static final Duration HOLDS = Duration.ofSeconds(1);
    /** By how much the client's idea of the server's time may be ahead. */
    private static final Duration CLOCKS = Duration.ofSeconds(2);

    private static final int NODES = 4;

    private final SimulationNodes.Machine client;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final SimulationTrace trace;
    private final ManualTime time;
    private final SplittableRandom random;
    /** Whether no request of the client was ever lost, late or repeated: such a one may still arrive. */
    private final BooleanSupplier sound;
    /** Whether a fault has delayed the run between its claim and its begin: it was marked as started before the pause. */
    private final Predicate<Run> delayed;

    private final Map<PauseScope, Asked> asked = new LinkedHashMap<>();
    private Instant last = Instant.MIN;

    private record Window(Instant from, Instant to) {}

    /** What users ask of one scope: how often, how many of these wait for an answer, and when it is paused for certain. */
    private static final class Asked {
        private final List<Window> windows = new ArrayList<>();
        private int requests;
        private int open;
    }

    SimulationPauses(
            SimulationNodes.Machine client,
            SimulationServer server,
            SimulationLedger ledger,
            SimulationTrace trace,
            ManualTime time,
            SplittableRandom random,
            BooleanSupplier sound,
            Predicate<Run> delayed) {
        this.client = client;
        this.server = server;
        this.ledger = ledger;
        this.trace = trace;
        this.time = time;
        this.random = random;
        this.sound = sound;
        this.delayed = delayed;
        ledger.onBegin(this::judge);
    }

    private PauseScope draw() {
        return switch (random.nextInt(5)) {
            case 0 -> PauseScope.everything();
            case 1 -> PauseScope.tag(TAG);
            case 2 -> PauseScope.node(SimulationNodes.label(1 + random.nextInt(NODES)));
            default -> PauseScope.commandType("note");
        };
    }

    /** @param request asks it, and nobody waits */
    void pause(Consumer<Runnable> request) {
        PauseScope scope = draw();
        Instant until = random.nextInt(4) == 0 ? null : time.wall().plusSeconds(9);
        last = until == null ? Instant.MAX : last.isAfter(until) ? last : until;
        request.accept(() -> {
            boolean[] stored = {true};
            boolean alone = alone(scope, () -> stored[0] = isStored(scope, new Pause("storm", "simulation", until)));
            if (alone && stored[0]) {
                trace.write(scope + " is paused until " + until);
                of(scope).windows.add(new Window(time.wall(), until == null ? Instant.MAX : until));
            }
        });
    }

    /** False if the pause is refused, as one that comes after its end must be. */
    private boolean isStored(PauseScope scope, Pause pause) {
        try {
            client.scheduler().pause(scope, pause);
            return true;
        } catch (IllegalArgumentException refused) {
            if (!pause.hasEnded(time.wall().plus(CLOCKS))) {
                throw refused;
            }
            return false;
        }
    }

    /** All that were ever asked for. */
    void resume(Consumer<Runnable> request) {
        last = last.equals(Instant.MAX) ? time.wall().plus(Duration.ofMinutes(5)) : last;
        for (PauseScope scope : List.copyOf(asked.keySet())) {
            request.accept(() -> alone(scope, () -> client.scheduler().resume(scope)));
        }
    }

    private Asked of(PauseScope scope) {
        return asked.computeIfAbsent(scope, any -> new Asked());
    }

    /** Whether no other request came beside this one about the scope: of two nobody knows which comes last. */
    private boolean alone(PauseScope scope, Runnable request) {
        Asked asking = of(scope);
        Instant now = time.wall();
        trace.write(scope + " is asked for");
        asking.windows.replaceAll(window -> window.to().isBefore(now) ? window : new Window(window.from(), now));
        int before = ++asking.requests;
        asking.open++;
        try {
            request.run();
        } finally {
            asking.open--;
        }
        return before == asking.requests && asking.open == 0 && sound.getAsBoolean();
    }

    /** Whether a pause may have been in force since then, or a little before. */
    boolean heldSince(Instant since) {
        return last.equals(Instant.MAX) || last.plusSeconds(2).isAfter(since);
    }

    /** Whether a pause of many jobs is in force. */
    boolean holds() {
        return server.truth().cluster().control().pauses().stream().anyMatch(pause -> pause.isInForce(time.wall()));
    }

    private void judge(Run run) {
        Instant now = time.wall();
        asked.forEach((scope, of) -> {
            boolean paused = of.windows.stream()
                    .anyMatch(window -> now.isAfter(window.from().plus(HOLDS))
                            && now.isBefore(window.to().minus(HOLDS)));
            if (paused && concerns(scope, run)) {
                ledger.complain(run.job() + " was started at " + now + ", although " + scope + " is paused");
            }
        });
        Instant since = server.pausedSince(run.id());
        boolean holds = since != null && now.isAfter(since.plus(HOLDS)) && !delayed.test(run);
        if (holds && !server.isByHand(run.id(), run.fire())) {
            ledger.complain(run.job() + " was started at " + now + ", and is paused since " + since);
        }
    }

    private boolean concerns(PauseScope scope, Run run) {
        if (scope instanceof PauseScope.Tag tag) {
            return server.truth().load(List.of(run.id())).stream()
                    .map(StoredJob::specification)
                    .anyMatch(job -> job.tags().contains(tag.tag()));
        }
        return !(scope instanceof PauseScope.Node node) || node.name().equals(SimulationNodes.label(run.node()));
    }

    /** A node that asks for pauses every five seconds only. */
    static JobStore seldomRead(JobStore store, TimeSource time) {
        ClusterControl[] read = {ClusterControl.NONE};
        Instant[] at = {Instant.MIN};
        return SimulationCalendars.withCluster(
                store,
                cluster -> StoreHook.over(ClusterStore.class, cluster, (method, arguments, call) -> {
                    if (!method.equals("control")) {
                        return call.proceed();
                    }
                    if (at[0].plusSeconds(5).isBefore(time.wall())) {
                        read[0] = (ClusterControl) call.proceed();
                        at[0] = time.wall();
                    }
                    return read[0];
                }));
    }
}
