/**
 * A service in Guice with two helpers: {@link dev.almanac.examples.guice.OrderService} is its main,
 * {@link dev.almanac.examples.guice.OrderModule} binds its parts, {@code orders.conf} contains its settings.
 */
@NullMarked
package dev.almanac.examples.guice;

import org.jspecify.annotations.NullMarked;
