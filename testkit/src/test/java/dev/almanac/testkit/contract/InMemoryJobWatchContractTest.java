package dev.almanac.testkit.contract;

import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;

class InMemoryJobWatchContractTest extends JobWatchContract {
    @Override
    protected JobStore emptyStore() {
        return new InMemoryJobStore(TimeSource.system());
    }
}
