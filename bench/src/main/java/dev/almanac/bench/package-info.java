/**
 * How fast Almanac is, as one JSON line per workload: {@link dev.almanac.bench.Bench} is the entry. All workloads of
 * one run are measured on one server, so that their figures can be compared as ratios.
 */
@NullMarked
package dev.almanac.bench;

import org.jspecify.annotations.NullMarked;
