package dev.almanac.behaviour;

import dev.almanac.store.JobStore;
import dev.almanac.testkit.time.ManualTime;
import org.junit.jupiter.api.AfterEach;

/** A real server remembers, virtual time passes. */
class InsightOnMongoTest extends InsightContract {
    private final MongoBehind behind = new MongoBehind();

    @AfterEach
    void drop() {
        behind.close();
    }

    @Override
    JobStore store(ManualTime time) {
        return behind.store(time);
    }
}
