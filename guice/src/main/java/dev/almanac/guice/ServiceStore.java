package dev.almanac.guice;

import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;

/** The store that the service brings itself, if it does. */
@Qualifier
@Retention(RUNTIME)
@interface ServiceStore {}
