/**
 * What becomes of a claimed job until its lease ends. Start with {@code Dispatcher}, which asks the rules what to do with
 * a claim, then {@code JobRun}, which is one run. {@code LeaseDuty} renews the leases meanwhile; {@code Recorder} and
 * {@code CompletionDuty} write how runs ended.
 */
@NullMarked
package dev.almanac.engine.run;

import org.jspecify.annotations.NullMarked;
