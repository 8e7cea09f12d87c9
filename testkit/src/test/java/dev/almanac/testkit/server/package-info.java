/** Tests of the real servers: start with {@link dev.almanac.testkit.server.MongoServerTest}. */
@NullMarked
package dev.almanac.testkit.server;

import org.jspecify.annotations.NullMarked;
