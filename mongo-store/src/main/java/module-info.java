/** The MongoDB store of Almanac. */
module dev.almanac.mongo {
    requires transitive dev.almanac.core;
    requires transitive org.mongodb.driver.sync.client;
    requires transitive org.mongodb.bson;
    requires transitive org.mongodb.driver.core;
    requires tools.jackson.databind;
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.almanac.mongo;
}
