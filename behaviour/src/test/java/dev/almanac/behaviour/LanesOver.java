package dev.almanac.behaviour;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

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
