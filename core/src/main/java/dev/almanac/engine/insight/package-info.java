/**
 * Answers: why a job has not run ({@code Explainer}), which invariants of the stored state are violated
 * ({@code InvariantCheck}), and the state of the node ({@code NodeSnapshot}). Start with {@code Insight}.
 *
 * <p>All of it only reads, except for {@code RowRepairs}, which writes rows that a crash left out, and retentions that
 * rows lack: for {@code InvariantCheck} when a user asks, and for {@code RepairDuty} all the time, at a low rate. What
 * the server refuses for good is halved until the refused row is alone, and the others are written: {@code
 * InvariantCheck} names that row, and the next pass tries it again.
 */
@NullMarked
package dev.almanac.engine.insight;

import org.jspecify.annotations.NullMarked;
