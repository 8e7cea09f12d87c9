package dev.almanac.engine.kernel;

import dev.almanac.helper.TypedHelper;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a run's code that have not ended: the helper's call, its stage, and the stages of {@code holdUntil}. A stage
 * that is completed where the stack is used up may drop what follows it, at any call. So each part is counted
 * once, in a step that calls nothing; and a stage that is found completed ends its part again (rule X2). Only a
 * {@code CompletableFuture} can be asked whether it is completed. Thread-safe.
 */
final class RunParts {
    private final String job;
    private final Runnable end;
    private final Set<Part> stages = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private int open;
    private volatile boolean toEnd;

    /**
     * @param job the key, for messages
     * @param end what follows the last part; done once, unless it throws
     */
    RunParts(String job, Runnable end) {
        this.job = job;
        this.end = end;
    }

    private final class Part {
        private final CompletionStage<?> stage;
        private final Consumer<@Nullable Throwable> ended;
        private boolean counted;

        Part(CompletionStage<?> stage, Consumer<@Nullable Throwable> ended) {
            this.stage = stage;
            this.ended = ended;
        }

        void follow() {
            stage.whenComplete((nothing, error) -> leave(error));
        }

        void leave(@Nullable Throwable error) {
            ended.accept(error);
            uncount(this);
        }

        /** Calls no code of the service: of a stage of a class of its own only {@link #isDone} tells. */
        boolean mayBeDone() {
            Class<?> type = stage.getClass();
            boolean known = type == CompletableFuture.class || type.getNestHost() == TypedHelper.class;
            return known ? isDone() : stage instanceof CompletableFuture;
        }

        boolean isDone() {
            try {
                return stage instanceof CompletableFuture<?> future && future.isDone();
            } catch (RuntimeException untold) {
                return false;
            }
        }
    }

    /** The helper is about to be called. */
    synchronized void begin() {
        open = 1;
    }

    /** The helper's call has returned. */
    void returned() {
        synchronized (this) {
            open--;
            toEnd = open == 0;
        }
        endIfOver();
    }

    /**
     * Runs the step, during which the run cannot end.
     *
     * @throws IllegalStateException if the run has ended
     */
    synchronized void whileOpen(Runnable step) {
        if (open == 0) {
            throw new IllegalStateException("the run of job '" + job + "' has ended already");
        }
        step.run();
    }

    /** @param ended receives the error of the stage, absent = none; perhaps more than once */
    void enter(CompletionStage<?> stage, Consumer<@Nullable Throwable> ended) {
        Part part = new Part(stage, ended);
        whileOpen(() -> {
            stages.add(part);
            part.counted = true;
            open++;
        });
        try {
            part.follow();
        } catch (Throwable e) {
            // a stage that does not accept a callback: it counts as ended
            part.leave(e);
        }
    }

    private void uncount(Part part) {
        synchronized (this) {
            if (part.counted) {
                part.counted = false;
                open--;
                toEnd = open == 0;
            }
        }
        stages.remove(part);
        endIfOver();
    }

    private void endIfOver() {
        synchronized (this) {
            if (!toEnd) {
                return;
            }
            toEnd = false;
        }
        try {
            end.run();
        } catch (Throwable e) {
            toEnd = true;
            throw e;
        }
    }

    /** Whether all parts have ended and the end has failed, or a part may have ended unnoticed. */
    boolean isToEnd() {
        return toEnd || stages.stream().anyMatch(Part::mayBeDone);
    }

    /**
     * Ends what {@link #isToEnd} has found, as far as it has ended. Calls code of the service.
     *
     * @throws Error of this thread, such as a stack that is used up; then it is to be called again on another one
     */
    void tryToEnd() {
        endIfOver();
        if (looking.compareAndSet(false, true)) {
            try {
                stages.stream().filter(Part::isDone).forEach(Part::follow);
            } finally {
                looking.set(false);
            }
        }
    }
}
