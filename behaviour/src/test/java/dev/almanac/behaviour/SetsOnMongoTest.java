package dev.almanac.behaviour;

import dev.almanac.store.JobStore;
import dev.almanac.testkit.time.ManualTime;
import org.junit.jupiter.api.AfterEach;

class SetsOnMongoTest extends SetsContract {
    private final MongoBehind mongo = new MongoBehind();

    @Override
    JobStore store(ManualTime time) {
        return mongo.store(time);
    }

    @AfterEach
    void drop() {
        mongo.close();
    }
}
