/**
 * The console: a servlet to mount under any path. Start reading at {@link dev.almanac.web.ConsoleServlet}. It answers
 * no request until a {@link dev.almanac.web.ConsoleAccess} identifies the viewer and the rights.
 *
 * <p>A request passes the {@code guard}s, gets its viewer, and is answered by one page: {@code read} reads its data
 * from the store, {@code draw} places charts, and the templates of the records of {@code page} write the HTML.
 * For programs {@code page} has {@code Api}, whose answers {@code json} makes, for the command line, too.
 * Templates escape all values; {@code text} makes invisible characters visible.
 */
@NullMarked
package dev.almanac.web;

import org.jspecify.annotations.NullMarked;
