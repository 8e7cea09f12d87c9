/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.engine.claim;

import org.jspecify.annotations.NullMarked;
