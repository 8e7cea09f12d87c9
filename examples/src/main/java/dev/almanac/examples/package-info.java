/** One small main per idea, each run by a test; the snippets of the documentation are taken from here. */
@NullMarked
package dev.almanac.examples;

import org.jspecify.annotations.NullMarked;
