/**
 * How commands reach a database: {@link dev.almanac.console.connection.ConnectionOptions} reads the options and opens a
 * {@link dev.almanac.console.connection.StoreAccess}, {@link dev.almanac.console.connection.StoreCommand} is the base
 * class of such commands. Passwords never leave this package.
 */
@NullMarked
package dev.almanac.console.connection;

import org.jspecify.annotations.NullMarked;
