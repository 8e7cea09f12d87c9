/**
 * Commands about a database as a whole: {@code nodes}, {@code health}, {@code doctor}, {@code indexes}.
 */
@NullMarked
package dev.almanac.console.operate;

import org.jspecify.annotations.NullMarked;
