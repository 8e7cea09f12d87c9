package dev.almanac.behaviour;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Lanes of a node that at times finds no thread of one name, as with too little memory. */
final class ScarceThreads extends LanesOver {
    private final String name;
    private final boolean ofLane;
    private int spared;
    private int refusals;

    ScarceThreads(Lanes lanes, String name) {
        this(lanes, name, false);
    }

    private ScarceThreads(Lanes lanes, String name, boolean ofLane) {
        super(lanes);
        this.name = name;
        this.ofLane = ofLane;
    }

    /** Of the lane of that name, not of its threads. */
    static ScarceThreads ofLane(Lanes lanes, String name) {
        return new ScarceThreads(lanes, name, true);
    }

    /** The next steps of that name find no thread; {@code times} of them. */
    void refuse(int times) {
        refuse(0, times);
    }

    /** As {@link #refuse(int)}, but that many steps before them find one. */
    void refuse(int others, int times) {
        spared = others;
        refusals = times;
    }

    @Override
    public Lane open(String lane, int width) {
        Lane opened = super.open(lane, width);
        return !ofLane || !lane.equals(name)
                ? opened
                : new Lane() {
                    @Override
                    public void run(Runnable step) {
                        refuse();
                        opened.run(step);
                    }

                    @Override
                    public Alarm after(Duration delay, Runnable step) {
                        refuse();
                        return opened.after(delay, step);
                    }

                    @Override
                    public Alarm every(Duration interval, Runnable step) {
                        refuse();
                        return opened.every(interval, step);
                    }
                };
    }

    private void refuse() {
        if (refusals > 0 && spared-- <= 0) {
            refusals--;
            throw new InternalError("unable to create native thread");
        }
    }

    @Override
    public Executor threads(String wanted) {
        Executor threads = super.threads(wanted);
        return step -> {
            if (!ofLane && wanted.equals(name)) {
                refuse();
            }
            threads.execute(step);
        };
    }
}
