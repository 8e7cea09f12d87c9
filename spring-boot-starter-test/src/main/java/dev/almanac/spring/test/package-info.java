/**
 * Tests of a Spring Boot service with Almanac: {@link dev.almanac.spring.test.AlmanacTest} starts it in virtual time, on a
 * store in memory.
 */
@NullMarked
package dev.almanac.spring.test;

import org.jspecify.annotations.NullMarked;
