/**
 * The console: a servlet to mount under any path. Start reading at {@link dev.almanac.web.ConsoleServlet}. It answers
 * no one until a {@link dev.almanac.web.ConsoleAccess} identifies the viewer and the rights.
 *
 * <p>A request passes the {@code guard}s, gets its viewer, and is answered by one page: {@code read} reads its data
 * from the store, {@code draw} places charts, and the templates beside the records of {@code page} write it down.
 * Templates escape whatever they are given; {@code text} makes visible what would not be seen.
 */
@NullMarked
package dev.almanac.web;

import org.jspecify.annotations.NullMarked;
