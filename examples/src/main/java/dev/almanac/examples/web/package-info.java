/** The console mounted in a service: {@link dev.almanac.examples.web.ConsoleModule} with Guice. */
@NullMarked
package dev.almanac.examples.web;

import org.jspecify.annotations.NullMarked;
