package dev.almanac.model;

import java.time.Duration;

/**
 * Due jobs that no live node takes: none has their command type, or none of those that have it takes their priority, or
 * all that would are on standby (rule S20).
 *
 * @param commandType registered name of their command
 * @param minPriority the most urgent priority that is not taken, 0 to 7; 0 if none of the type is
 * @param maxPriority the least urgent one; 7 if none of the type is taken
 * @param jobs how many are due; paused jobs do not count
 * @param more whether counting ended at that number
 * @param oldest for how long the first of them has been due
 */
public record UnservedJobs(
        String commandType, int minPriority, int maxPriority, long jobs, boolean more, Duration oldest) {
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Whether {@code health()} is DEGRADED by it: the first of them has been due for a minute. */
    public boolean isLong() {
        return oldest.compareTo(LONG) >= 0;
    }

    /** What is not served, such as {@code command type 'file' with priority 4 to 7}. */
    public String what() {
        String priorities = minPriority == maxPriority ? "" + minPriority : minPriority + " to " + maxPriority;
        boolean all = minPriority == 0 && maxPriority == 7;
        return "command type '" + commandType + "'" + (all ? "" : " with priority " + priorities);
    }

    /** The fact as a sentence for an operator. */
    public String words() {
        String number = jobs + (more ? " or more" : "") + (jobs == 1 && !more ? " due job" : " due jobs");
        return number + " of " + what() + (jobs == 1 && !more ? " is" : " are")
                + " taken by no live node; the oldest has been due for " + oldest.toSeconds() + " s";
    }

    /** The same, some time later. */
    public UnservedJobs after(Duration passed) {
        return new UnservedJobs(commandType, minPriority, maxPriority, jobs, more, oldest.plus(passed));
    }
}
