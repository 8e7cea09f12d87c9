/** {@code almanac web}: the console in a server of its own. Start at {@link dev.almanac.console.web.WebCommand}. */
@NullMarked
package dev.almanac.console.web;

import org.jspecify.annotations.NullMarked;
