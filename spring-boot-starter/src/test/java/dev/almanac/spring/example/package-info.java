/** The starter in an application, on a real server. */
@NullMarked
package dev.almanac.spring.example;

import org.jspecify.annotations.NullMarked;
