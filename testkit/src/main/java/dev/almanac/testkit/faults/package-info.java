/**
 * A slow or faulty network between a node and its store: {@link dev.almanac.testkit.faults.FaultyStore}, by script
 * ({@link dev.almanac.testkit.faults.Fault}) or by a seed ({@link dev.almanac.testkit.faults.Chances}).
 */
@NullMarked
package dev.almanac.testkit.faults;

import org.jspecify.annotations.NullMarked;
