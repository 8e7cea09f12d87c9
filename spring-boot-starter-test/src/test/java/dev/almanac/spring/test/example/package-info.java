/** A small Spring Boot service with declared jobs, and its test. */
@org.jspecify.annotations.NullMarked
package dev.almanac.spring.test.example;
