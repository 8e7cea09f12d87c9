/**
 * How fast Almanac is, as one JSON line per workload: {@link dev.almanac.bench.Bench} is the entry. Everything of one
 * run is measured on one server, so that figures can be compared as ratios.
 */
@NullMarked
package dev.almanac.bench;

import org.jspecify.annotations.NullMarked;
