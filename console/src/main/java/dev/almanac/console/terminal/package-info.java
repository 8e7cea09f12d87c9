/**
 * What the commands have in common towards people: {@link dev.almanac.console.terminal.Output} prints tables and JSON,
 * {@link dev.almanac.console.terminal.Times} reads and shows moments, {@link dev.almanac.console.terminal.Nearest}
 * finds what was meant. Nothing here talks to a database.
 */
@NullMarked
package dev.almanac.console.terminal;

import org.jspecify.annotations.NullMarked;
