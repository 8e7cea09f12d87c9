/** The house rules H1 to H7 as tests: layers, forbidden calls and words, sizes, tidiness. */
@NullMarked
package dev.almanac.behaviour.house;

import org.jspecify.annotations.NullMarked;
