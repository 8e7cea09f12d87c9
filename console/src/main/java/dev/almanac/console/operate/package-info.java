/** The commands of operators, which talk to a database: {@code indexes}. */
@NullMarked
package dev.almanac.console.operate;

import org.jspecify.annotations.NullMarked;
