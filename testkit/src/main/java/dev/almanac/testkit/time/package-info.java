/**
 * Time that is moved by the test only: {@link dev.almanac.testkit.time.ManualTime}, and
 * {@link dev.almanac.testkit.time.ManualLanes}, on which the steps of any number of nodes run one at a time, in a
 * repeatable order.
 */
@NullMarked
package dev.almanac.testkit.time;

import org.jspecify.annotations.NullMarked;
