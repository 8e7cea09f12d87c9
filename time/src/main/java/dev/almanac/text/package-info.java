/**
 * Functions for texts that people read or write: {@link dev.almanac.text.Printable} escapes what could harm a
 * terminal or a log, {@link dev.almanac.text.Redaction} removes credentials, {@link dev.almanac.text.EditDistance}
 * finds the most similar word, {@link dev.almanac.text.ShortDuration} reads {@code 15m}, {@link
 * dev.almanac.text.Ascii} gives names in upper case, {@link dev.almanac.text.Fingerprint} is a short hash. Pure
 * functions, each linear or bounded. For the modules of Almanac only.
 */
@NullMarked
package dev.almanac.text;

import org.jspecify.annotations.NullMarked;
