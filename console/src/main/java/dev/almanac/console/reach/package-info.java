/**
 * How commands reach a database: {@link dev.almanac.console.reach.Connection} reads the options and opens a
 * {@link dev.almanac.console.reach.Reach}, {@link dev.almanac.console.reach.StoreCommand} is what such commands have in
 * common. Passwords never leave this package.
 */
@NullMarked
package dev.almanac.console.reach;

import org.jspecify.annotations.NullMarked;
