/** Violations that the house tests must find. */
@NullMarked
package dev.almanac.behaviour.house.planted.model;

import org.jspecify.annotations.NullMarked;
