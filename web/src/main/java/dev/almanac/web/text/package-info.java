/** Text and times as pages show them: {@link dev.almanac.web.text.VisibleText}, {@link dev.almanac.web.text.Clock}. */
@NullMarked
package dev.almanac.web.text;

import org.jspecify.annotations.NullMarked;
