/** For users' tests and ours: manual time, faulty stores, store contract, real servers. */
module dev.almanac.testkit {
    requires transitive dev.almanac.core;
    requires static transitive org.mongodb.driver.sync.client;
    requires static transitive org.mongodb.bson;
    requires static org.mongodb.driver.core;
    requires static org.jspecify;
    requires static testcontainers;
    requires static transitive org.junit.jupiter.api;
    requires static transitive org.assertj.core;

    exports dev.almanac.testkit.contract;
    exports dev.almanac.testkit.faults;
    exports dev.almanac.testkit.junit;
    exports dev.almanac.testkit.memory;
    exports dev.almanac.testkit.server;
    exports dev.almanac.testkit.time;
}
