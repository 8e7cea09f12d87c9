/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.engine.request;

import org.jspecify.annotations.NullMarked;
