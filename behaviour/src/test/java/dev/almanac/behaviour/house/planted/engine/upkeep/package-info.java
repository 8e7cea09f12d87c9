/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.engine.upkeep;

import org.jspecify.annotations.NullMarked;
