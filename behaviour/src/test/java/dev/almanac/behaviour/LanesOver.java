package dev.almanac.behaviour;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** The lanes of a node as they are, but for what a test overrides. */
abstract class LanesOver implements Lanes {
    private final Lanes lanes;

    LanesOver(Lanes lanes) {
        this.lanes = lanes;
    }

    @Override
    public Lane open(String name, int width) {
        return lanes.open(name, width);
    }

    /** A lane with something around each of its steps. */
    static Lane around(Lane lane, UnaryOperator<Runnable> each) {
        return new Lane() {
            @Override
            public void run(Runnable step) {
                lane.run(each.apply(step));
            }

            @Override
            public Alarm after(Duration delay, Runnable step) {
                return lane.after(delay, each.apply(step));
            }

            @Override
            public Alarm every(Duration interval, Runnable step) {
                return lane.every(interval, each.apply(step));
            }
        };
    }

    @Override
    public Executor threads(String name) {
        return lanes.threads(name);
    }

    @Override
    public boolean await(Future<?> end, Duration atMost) throws InterruptedException, ExecutionException {
        return lanes.await(end, atMost);
    }

    @Override
    public void close() {
        lanes.close();
    }
}
