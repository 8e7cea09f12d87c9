/**
 * What a node does without being asked, at a low rate, so that the stored state stays in order: {@code NodeDuty} reports
 * the node and measures the server's clock, {@code BacklogDuty} counts overdue jobs, {@code PurgeDuty} removes what no
 * TTL index removes, {@code RepairDuty} writes rows that a crash has left out, {@code ReplanDuty} plans jobs again
 * after edits of calendars and with new zone rules. {@code Rehydration} is the start of a node.
 *
 * <h2>Calendars under edit</h2>
 *
 * <ul>
 *   <li><b>Versions only rise</b>, also of deleted ones. Each node plans the waiting jobs that are older than an edit
 *       (rule N9) once it sees the edit counted; or within a minute, if its editor died before that. A plan that is
 *       written late is made again when it is acknowledged, or by the repair.
 *   <li><b>A calendar throws, or does not return for a lease</b>: its jobs keep their plans, all others are planned,
 *       and it is tried again after a growing pause. An edit plans on the thread of its caller, and waits.
 * </ul>
 *
 * <h2>Rows that are missing</h2>
 *
 * {@code RowRepairs} writes rows that a crash left out, and retentions that rows lack: for {@code InvariantCheck} when a
 * user asks, and for {@code RepairDuty} all the time. What the server refuses for good is halved until the refused row
 * is alone, and the others are written: {@code InvariantCheck} names that row, and the next pass tries it again.
 */
@NullMarked
package dev.almanac.engine.upkeep;

import org.jspecify.annotations.NullMarked;
