/**
 * What the pages read. {@link dev.almanac.web.read.StoreReader} asks the store; what several pages show alike is kept for
 * a moment, so that many open pages cost no more than one.
 */
@NullMarked
package dev.almanac.web.read;

import org.jspecify.annotations.NullMarked;
