/** What the pages for those who come from other schedulers show as before; compiled and run like the rest. */
@NullMarked
package dev.almanac.examples.before;

import org.jspecify.annotations.NullMarked;
