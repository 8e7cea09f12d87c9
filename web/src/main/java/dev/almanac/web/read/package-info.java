/**
 * What the pages read. {@link dev.almanac.web.read.StoreReader} queries the store; answers that several pages share are
 * cached for a short time, so that many open pages cost no more than one.
 */
@NullMarked
package dev.almanac.web.read;

import org.jspecify.annotations.NullMarked;
