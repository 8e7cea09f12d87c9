package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import dev.almanac.model.PauseScope;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which jobs are held back: some, or all of a kind, later ones included. A mixin of {@code pause} and {@code resume}. */
final class PauseTarget extends JobSelectionOptions {
    /** No query reads longer than its time limit allows. */
    private static final int WINDOW = 50_000;

    private static final int MOST_PARTS = 20;

    @Option(names = "--tag", paramLabel = "TAG", description = "all jobs that carry this tag, later ones included")
    private @Nullable String tag;

    @Option(names = "--type", paramLabel = "TYPE", description = "all jobs with this command type")
    private @Nullable String type;

    /** @throws InvalidInputException unless exactly one is named */
    @Override
    void check() {
        long named =
                Stream.of(!isNone(), tag != null, type != null).filter(is -> is).count();
        InvalidInputException.when(
                named != 1, "which jobs? Name one of KEY, --where-..., --tag TAG, --type TYPE and --all");
        if (!isNone()) {
            super.check();
        }
        InvalidInputException.when(
                (confirmation().isExpectedGiven() || isContinued()) && (isNone() || isAll()),
                "--expect and --after are for KEYs and --where-...; --tag, --type and --all have one pause for all");
        InvalidInputException.when(
                confirmation().isDryRun() && (isNone() || isAll()),
                "--dry-run is for KEYs and --where-...; it has no use with --tag, --type"
                        + " and --all, since one pause then holds for all");
    }

    /** What one pause holds back: a kind of jobs, or a single job; absent if each of several jobs has a pause of its own. */
    @Nullable
    PauseScope scope() {
        if (isAll()) {
            return PauseScope.everything();
        } else if (tag != null) {
            return PauseScope.tag(tag);
        } else if (type != null) {
            return PauseScope.commandType(type);
        }
        String key = single();
        return key == null ? null : PauseScope.job(key);
    }

    /** Asks whether every job is meant, later ones included; so no number of jobs is expected. */
    void confirmAll(Scheduler scheduler) {
        if (confirmation().isGiven()) {
            return;
        }
        Confirmation.Jobs jobs = live(scheduler, job -> {});
        String live = switch (jobs.count()) {
            case 0 -> "none is live now";
            case 1 -> "1 is live now";
            default -> jobs.count() + " are live now";
        };
        confirmation().ask("pause every job, also those that are stored later; " + live + jobs.words(), "");
    }

    /**
     * Jobs that one pause holds back, and that wait for the end of a pause of their own, too.
     *
     * @param first the key of one of them; absent if none was found
     * @param more whether they were not looked for to the end
     */
    record Paused(int count, @Nullable String first, boolean more) {}

    /** Looks for them until a thousand are found, or as many jobs were looked at as a user waits for. */
    Paused pausedThemselves(Scheduler scheduler, Instant now) {
        int count = 0;
        String first = null;
        JobQuery query =
                new JobQuery(null, tag, null, JobState.PAUSED, null, type, null, null, null, Times.MOST).window(WINDOW);
        for (int parts = 0; count < Times.MOST && parts < MOST_PARTS; parts++) {
            JobPage page = scheduler.listJobs(query);
            List<String> keys = page.jobs().stream()
                    .filter(job -> job.pause() != null && job.pause().isInForce(now))
                    .map(job -> job.specification().jobSpecificationKey())
                    .toList();
            count += keys.size();
            first = first == null && !keys.isEmpty() ? keys.get(0) : first;
            if (page.lastKey() == null) {
                return new Paused(count, first, false);
            }
            query = query.after(page.lastKey());
        }
        return new Paused(count, first, true);
    }
}
