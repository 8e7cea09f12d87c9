/** For users' tests and ours: manual time, store contract, real servers. */
module dev.almanac.testkit {
    requires transitive dev.almanac.core;
    requires static transitive org.mongodb.driver.sync.client;
    requires static transitive org.mongodb.bson;
    requires static org.mongodb.driver.core;
    requires static org.jspecify;

    exports dev.almanac.testkit.server;
    exports dev.almanac.testkit.time;
}
