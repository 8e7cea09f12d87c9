/**
 * What the command line answers with {@code --json} and the console at {@code /api}: one model of jobs, rows and nodes for
 * programs. Public for the command line only; the module does not export it.
 */
@NullMarked
package dev.almanac.web.json;

import org.jspecify.annotations.NullMarked;
