/** Places what charts show: pure arithmetic; the templates write it as SVG. */
@NullMarked
package dev.almanac.web.draw;

import org.jspecify.annotations.NullMarked;
