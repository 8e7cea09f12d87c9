/**
 * Every single fault at every point of short scenarios, on the real engine in virtual time. Start at {@link
 * dev.almanac.behaviour.explore.Exploration}.
 */
@NullMarked
package dev.almanac.behaviour.explore;

import org.jspecify.annotations.NullMarked;
