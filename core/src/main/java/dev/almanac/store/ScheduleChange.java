package dev.almanac.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of the schedule that was noted while a fire was in progress: what follows that fire is planned by it (rule S2).
 *
 * @param at when the schedule was changed: the new one is counted from then
 * @param since not later than {@code at}: a planned fire that is later, and does not run, is no fire of any schedule, since
 *     the first change that is not applied was made before it
 * @param carried the newest fire of the earlier schedules that has passed and has not begun: it runs next; absent = none
 * @param moves whether it is the fire in progress itself that is moved: a one-off was given another moment, so that its
 *     retries are dropped
 */
public record ScheduleChange(
        Instant at, Instant since, @Nullable Instant carried, boolean moves) {}
