/**
 * Input and output of the commands: {@link dev.almanac.console.terminal.Output} prints tables and JSON,
 * {@link dev.almanac.console.terminal.Times} reads and shows moments, {@link dev.almanac.console.terminal.Nearest}
 * makes suggestions. Nothing here uses a database.
 */
@NullMarked
package dev.almanac.console.terminal;

import org.jspecify.annotations.NullMarked;
