/**
 * {@code almanac jobs}: shows and changes jobs. {@link dev.almanac.console.jobs.JobsCommand} lists the
 * commands; {@link dev.almanac.console.jobs.JobAnswer} is how a job is shown, {@link dev.almanac.console.jobs.JobReader}
 * how one is read from options or from a file.
 */
@NullMarked
package dev.almanac.console.jobs;

import org.jspecify.annotations.NullMarked;
