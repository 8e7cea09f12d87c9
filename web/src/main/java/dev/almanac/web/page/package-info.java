/**
 * The pages. {@link dev.almanac.web.page.Pages} maps addresses to pages; a page makes a record of its contents, and the
 * template of the same name, under {@code src/main/jte}, writes the HTML. {@link dev.almanac.web.page.Api} maps addresses to answers for
 * programs.
 */
@NullMarked
package dev.almanac.web.page;

import org.jspecify.annotations.NullMarked;
