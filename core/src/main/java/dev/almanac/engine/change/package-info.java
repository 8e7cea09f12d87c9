/**
 * What users and edits of calendars change. {@code Registrar} carries out a request for one job: start there.
 * {@code Reconciler} and {@code Backfill} serve requests for many, {@code StoredCalendars} edits calendars, and
 * {@code Replanner} plans the jobs anew that an edit or new zone rules move.
 */
@NullMarked
package dev.almanac.engine.change;

import org.jspecify.annotations.NullMarked;
