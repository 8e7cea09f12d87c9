/**
 * The pages. {@link dev.almanac.web.page.Pages} knows which address is which page; a page makes a record of what it
 * shows, and the template of the same name, under {@code src/main/jte}, writes it down.
 */
@NullMarked
package dev.almanac.web.page;

import org.jspecify.annotations.NullMarked;
