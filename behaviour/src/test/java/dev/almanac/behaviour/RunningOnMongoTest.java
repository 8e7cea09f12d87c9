package dev.almanac.behaviour;

import dev.almanac.store.JobStore;
import dev.almanac.testkit.time.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

class RunningOnMongoTest extends RunningContract {
    private Stores.@Nullable Opened opened;

    @AfterEach
    void drop() {
        if (opened != null) {
            opened.close().run();
        }
    }

    @Override
    JobStore store(ManualTime time) {
        opened = Stores.MONGO.open(time);
        return opened.store();
    }
}
