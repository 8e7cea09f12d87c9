/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.time;

import org.jspecify.annotations.NullMarked;
