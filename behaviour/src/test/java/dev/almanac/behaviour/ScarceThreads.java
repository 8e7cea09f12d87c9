package dev.almanac.behaviour;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/** Lanes of a node that at times finds no thread of one name, as with too little memory. */
final class ScarceThreads implements Lanes {
    private final Lanes lanes;
    private final String name;
    private int refusals;

    ScarceThreads(Lanes lanes, String name) {
        this.lanes = lanes;
        this.name = name;
    }

    /** The next steps of that name find no thread; {@code times} of them. */
    void refuse(int times) {
        refusals = times;
    }

    @Override
    public Lane open(String lane, int width) {
        return lanes.open(lane, width);
    }

    @Override
    public Executor threads(String wanted) {
        Executor threads = lanes.threads(wanted);
        return step -> {
            if (wanted.equals(name) && refusals > 0) {
                refusals--;
                throw new InternalError("unable to create native thread");
            }
            threads.execute(step);
        };
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
