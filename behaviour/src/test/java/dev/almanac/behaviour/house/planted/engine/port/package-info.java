/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.engine.port;

import org.jspecify.annotations.NullMarked;
