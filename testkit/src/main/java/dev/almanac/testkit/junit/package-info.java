/**
 * A service's own JUnit tests: {@link dev.almanac.testkit.junit.SchedulerExtension} owns a node whose clock the test
 * advances, a week in less than a second. No server is needed.
 */
@NullMarked
package dev.almanac.testkit.junit;

import org.jspecify.annotations.NullMarked;
