/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.engine;

import org.jspecify.annotations.NullMarked;
