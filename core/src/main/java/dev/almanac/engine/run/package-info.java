/**
 * A claimed job until its lease ends. Start with {@code Dispatcher}, which asks the rules what to do with a claim, then
 * {@code JobRun}, which is one run. {@code HeldJobs} are the claims of this node, {@code LeaseDuty} renews their
 * leases, {@code CompletionDuty} writes the results of runs.
 */
@NullMarked
package dev.almanac.engine.run;

import org.jspecify.annotations.NullMarked;
