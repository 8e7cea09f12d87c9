package dev.almanac.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list; absent parts do not restrict. Results come in the order of their keys.
 *
 * @param jobRequestor only jobs of this requestor
 * @param tag only jobs that carry this tag
 * @param applicationTag only jobs of this application
 * @param state only jobs in this state; SUCCEEDED, CANCELED and FAILED find finished jobs, without it and with the others
 *     only live ones are found
 * @param keyPrefix only jobs whose key begins with this text; compared as text, never as a pattern
 * @param commandType only jobs whose trigger command is of this registered type, also while their failure command is to be
 *     delivered
 * @param calendar only jobs that name this exclusion calendar, or whose follow-ups do
 * @param runningGroup only jobs that hold a slot of this exclusive group now: they run, or their leases have not been taken
 *     over yet
 * @param nextFireFrom only jobs whose next fire lies at or after this instant
 * @param nextFireUntil only jobs whose next fire lies before this instant
 * @param afterKey only jobs whose key sorts after this one; or {@link JobPage#lastKey()} of the page before, which may lie
 *     between two finished jobs of one key
 * @param limit largest size of a page, 1 to 1 000. A page of large jobs may be smaller, so that it fits into memory;
 *     {@link JobPage#lastKey()} says whether more follow
 * @param window how many jobs the store looks at for one page, 1 to 1 000 000; absent = as many as it takes. A page that
 *     ends with its window holds fewer jobs than asked for, even none, and still contains where the next one begins
 */
public record JobQuery(
        @Nullable String jobRequestor,
        @Nullable String tag,
        @Nullable String applicationTag,
        @Nullable JobState state,
        @Nullable String keyPrefix,
        @Nullable String commandType,
        @Nullable String calendar,
        @Nullable String runningGroup,
        @Nullable Instant nextFireFrom,
        @Nullable Instant nextFireUntil,
        @Nullable String afterKey,
        int limit,
        @Nullable Integer window) {
    private static final int LARGEST_PAGE = 1_000;
    private static final int DEFAULT_PAGE = 100;
    private static final int LARGEST_WINDOW = 1_000_000;

    /** @throws IllegalArgumentException if a text is empty, or the limit or the window is out of range (rule S14) */
    public JobQuery {
        refuseEmpty("jobRequestor", jobRequestor);
        refuseEmpty("tag", tag);
        refuseEmpty("applicationTag", applicationTag);
        refuseEmpty("keyPrefix", keyPrefix);
        refuseEmpty("commandType", commandType);
        refuseEmpty("calendar", calendar);
        refuseEmpty("runningGroup", runningGroup);
        if (limit < 1 || limit > LARGEST_PAGE) {
            throw new IllegalArgumentException("limit " + limit + " is not within 1 to " + LARGEST_PAGE);
        }
        if (window != null && (window < 1 || window > LARGEST_WINDOW)) {
            throw new IllegalArgumentException("window " + window + " is not within 1 to " + LARGEST_WINDOW);
        }
    }

    /** Of a variable that was never set: it must not select every job. */
    static void refuseEmpty(String part, @Nullable String text) {
        if (text != null && text.isEmpty()) {
            throw new IllegalArgumentException("the " + part
                    + " is empty, which selects nothing; give one, or leave it absent for jobs of any " + part);
        }
    }

    /**
     * As the canonical constructor, for jobs of any calendar, whether they hold their group or not,
     * and pages that are full while there are jobs.
     */
    public JobQuery(
            @Nullable String jobRequestor,
            @Nullable String tag,
            @Nullable String applicationTag,
            @Nullable JobState state,
            @Nullable String keyPrefix,
            @Nullable String commandType,
            @Nullable Instant nextFireFrom,
            @Nullable Instant nextFireUntil,
            @Nullable String afterKey,
            int limit) {
        this(
                jobRequestor,
                tag,
                applicationTag,
                state,
                keyPrefix,
                commandType,
                null,
                null,
                nextFireFrom,
                nextFireUntil,
                afterKey,
                limit,
                null);
    }

    /** The first 100 live jobs. */
    public static JobQuery all() {
        return new JobQuery(null, null, null, null, null, null, null, null, null, DEFAULT_PAGE);
    }

    /** The first jobs of an application. */
    public static JobQuery ofApplication(String applicationTag) {
        return new JobQuery(null, null, applicationTag, null, null, null, null, null, null, DEFAULT_PAGE);
    }

    /** The first jobs that name an exclusion calendar, themselves or in their follow-ups. */
    public static JobQuery ofCalendar(String calendar) {
        return new JobQuery(null, null, null, null, null, null, calendar, null, null, null, null, DEFAULT_PAGE, null);
    }

    /** The jobs that hold a slot of an exclusive group now, at most 1 000. */
    public static JobQuery ofRunningGroup(String group) {
        return new JobQuery(null, null, null, null, null, null, null, group, null, null, null, LARGEST_PAGE, null);
    }

    /** The page that follows; absent = the first page. */
    public JobQuery after(@Nullable String key) {
        return with(state, key, limit, window);
    }

    /** The same jobs, in pages of this size, 1 to 1 000. */
    public JobQuery limit(int size) {
        return with(state, afterKey, size, window);
    }

    /** The same jobs, in pages for each of which the store looks at no more than so many jobs, 1 to 1 000 000. */
    public JobQuery window(int jobs) {
        return with(state, afterKey, limit, jobs);
    }

    /** Those of the same jobs that are in this state. */
    public JobQuery state(JobState only) {
        return with(only, afterKey, limit, window);
    }

    private JobQuery with(@Nullable JobState only, @Nullable String after, int size, @Nullable Integer looks) {
        return new JobQuery(
                jobRequestor,
                tag,
                applicationTag,
                only,
                keyPrefix,
                commandType,
                calendar,
                runningGroup,
                nextFireFrom,
                nextFireUntil,
                after,
                size,
                looks);
    }
}
