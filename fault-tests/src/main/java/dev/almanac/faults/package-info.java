/**
 * Real servers, real processes, real kills. {@code Evidence} is written by the helpers into a file, outside MongoDB,
 * and compared with the database.
 */
@NullMarked
package dev.almanac.faults;

import org.jspecify.annotations.NullMarked;
