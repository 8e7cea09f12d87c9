/**
 * Time that stands still until the test moves it: {@link dev.almanac.testkit.time.ManualTime}, and
 * {@link dev.almanac.testkit.time.ManualLanes}, on which the steps of any number of nodes run one at a time, in a
 * repeatable order.
 */
@NullMarked
package dev.almanac.testkit.time;

import org.jspecify.annotations.NullMarked;
