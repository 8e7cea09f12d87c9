/**
 * A service's own JUnit tests: {@link dev.almanac.testkit.junit.SchedulerExtension} owns a node whose time the test moves
 * on, a week in a moment. No server is needed.
 */
@NullMarked
package dev.almanac.testkit.junit;

import org.jspecify.annotations.NullMarked;
