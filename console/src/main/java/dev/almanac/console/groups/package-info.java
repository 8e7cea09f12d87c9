/** The commands of exclusive groups: {@code almanac groups}. Start at {@code GroupsCommand}. */
@NullMarked
package dev.almanac.console.groups;

import org.jspecify.annotations.NullMarked;
