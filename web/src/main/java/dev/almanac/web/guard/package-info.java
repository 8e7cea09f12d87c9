/**
 * The protections between a request and a page: {@link dev.almanac.web.guard.Defence} names each protection, and
 * {@link dev.almanac.web.guard.Guards} applies them. Each has a test that shows the attack succeed without it.
 */
@NullMarked
package dev.almanac.web.guard;

import org.jspecify.annotations.NullMarked;
