/**
 * Time that stands still until the test moves it: {@link dev.almanac.testkit.time.ManualTime}, and
 * {@link dev.almanac.testkit.time.ManualLanes}, on which the steps of any number of nodes run one after the other on
 * the test's own thread, in a repeatable order.
 */
@NullMarked
package dev.almanac.testkit.time;

import org.jspecify.annotations.NullMarked;
