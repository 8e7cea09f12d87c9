/**
 * How fast cron arithmetic is, compared with Quartz and cron-utils in the same run. Start with
 * {@link dev.almanac.bench.jmh.CronBench}; run {@code org.openjdk.jmh.Main} on the class path of this module. The
 * figures are in docs/time.md.
 */
@NullMarked
package dev.almanac.bench.jmh;

import org.jspecify.annotations.NullMarked;
