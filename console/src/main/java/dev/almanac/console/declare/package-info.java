/**
 * Jobs that are declared in a file: {@link dev.almanac.console.declare.RunCommand} runs them on a node of its own with
 * the built-in helpers {@code log} and {@code shell}; {@link dev.almanac.console.declare.ReconcileCommand} only stores
 * them; {@link dev.almanac.console.declare.JobsFile} reads the file.
 */
@NullMarked
package dev.almanac.console.declare;

import org.jspecify.annotations.NullMarked;
