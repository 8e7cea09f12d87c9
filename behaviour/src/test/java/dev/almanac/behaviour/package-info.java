/** What a scheduler promises, from the outside, in virtual time: start with {@link dev.almanac.behaviour.World}. */
@NullMarked
package dev.almanac.behaviour;

import org.jspecify.annotations.NullMarked;
