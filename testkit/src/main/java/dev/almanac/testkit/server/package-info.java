/**
 * Real MongoDB servers for tests: start with {@link dev.almanac.testkit.server.MongoServer}. A test that needs one
 * fails where there is none; it is never skipped.
 */
@NullMarked
package dev.almanac.testkit.server;

import org.jspecify.annotations.NullMarked;
