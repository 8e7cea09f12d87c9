package dev.almanac.behaviour;

import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualTime;

/** What a world may remember with. */
enum Stores {
    MEMORY {
        @Override
        Opened open(ManualTime time) {
            return new Opened(new InMemoryJobStore(time), () -> {});
        }
    },
    MONGO {
        @Override
        Opened open(ManualTime time) {
            MongoInVirtualTime mongo = new MongoInVirtualTime();
            return new Opened(mongo.store(time), mongo::close);
        }
    };

    /** A new store, and how to do away with it. */
    record Opened(JobStore store, Runnable close) {}

    abstract Opened open(ManualTime time);
}
