/**
 * Almanac in a Spring Boot service: {@link dev.almanac.spring.AlmanacAutoConfiguration} makes the scheduler of the
 * properties below {@code almanac} and of the service's beans, and starts and stops it with the application.
 */
@NullMarked
package dev.almanac.spring;

import org.jspecify.annotations.NullMarked;
