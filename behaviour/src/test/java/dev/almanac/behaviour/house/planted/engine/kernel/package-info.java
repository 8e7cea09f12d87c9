/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.engine.kernel;

import org.jspecify.annotations.NullMarked;
