/** When a failed run is tried again, as data and arithmetic: {@link dev.almanac.retry.RetryPolicy}. */
@NullMarked
package dev.almanac.retry;

import org.jspecify.annotations.NullMarked;
