package dev.almanac.behaviour;

import dev.almanac.store.InMemoryJobStore;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.time.ManualTime;

class SetsInMemoryTest extends SetsContract {
    @Override
    JobStore store(ManualTime time) {
        return new InMemoryJobStore(time);
    }
}
