/**
 * Settings from HOCON under the one prefix {@code almanac}. Start at {@link dev.almanac.config.AlmanacConfig};
 * {@code reference.conf} contains every key with its default. Two tables, {@code SchedulerKeys} and
 * {@code ServiceKeys}, name the keys, their kinds and ranges; the documentation is compared with them.
 */
@NullMarked
package dev.almanac.config;

import org.jspecify.annotations.NullMarked;
