/** A small Spring Boot service with its data in MongoDB, and its test. */
@org.jspecify.annotations.NullMarked
package dev.almanac.spring.orders;
