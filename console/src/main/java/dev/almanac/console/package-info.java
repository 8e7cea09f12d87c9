/** The command line: {@link dev.almanac.console.Main} starts it, each command is a class of its own. */
@NullMarked
package dev.almanac.console;

import org.jspecify.annotations.NullMarked;
