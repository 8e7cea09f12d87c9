package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Which jobs are changed: those of some keys, all live ones of a kind, or all. A mixin of the commands that change jobs. A
 * change of other jobs than those of named keys is confirmed first (rule S14).
 */
class JobSelectionOptions {
    private static final int PAGE = 1_000;

    @Parameters(
            arity = "0..*",
            paramLabel = "KEY",
            description = "the keys of the jobs; all of a kind: --where-...; every job: --all")
    private Set<String> keys = Set.of();

    @Mixin
    private JobFilter kind;

    @Option(names = "--all", description = "all live jobs, of every application")
    private boolean all;

    @Mixin
    private Confirmation confirmation;

    /** @throws InvalidInputException unless either keys, a kind or all are named */
    void check() {
        InvalidInputException.when(
                all && (!keys.isEmpty() || kind.isGiven()),
                "--all means every job; leave out KEYs and --where-..., or leave out --all");
        InvalidInputException.when(
                isNone() || !keys.isEmpty() && kind.isGiven(),
                "which jobs? Give their KEYs, or options such as --where-tag night; a job must match all of them");
        InvalidInputException.when(
                kind.isContinued() && !kind.isGiven() && !all,
                "--after continues a change of all jobs of a kind; it needs --where-...");
        if (!keys.isEmpty()) {
            confirmation.expect(keys.size());
        }
    }

    /**
     * Does an action with the jobs, once that is confirmed; named keys, and a dry run, need no confirmation.
     *
     * @param verb what is done, for the question
     * @return the exit code
     */
    final int apply(Output out, Scheduler scheduler, String verb, JobAction action) {
        return apply(out, scheduler, verb, action, ActionReport.Item::detail);
    }

    /** @param detail of a result, for people */
    final int apply(
            Output out,
            Scheduler scheduler,
            String verb,
            JobAction action,
            Function<ActionReport.Item, String> detail) {
        JobSelection selection = keys.isEmpty()
                ? new JobSelection.Matching(kind.query(PAGE), confirmed(scheduler, verb))
                : new JobSelection.Keys(List.copyOf(keys));
        return ActionAnswer.apply(out, scheduler, action, selection, confirmation.isDryRun(), detail);
    }

    /**
     * Counts the jobs of the kind, and asks whether all of them are meant, if that has to be asked.
     *
     * @return the ids of those that were counted, since others may be stored meanwhile; absent for a dry run
     */
    private @Nullable Set<String> confirmed(Scheduler scheduler, String verb) {
        if (confirmation.isDryRun()) {
            return null;
        }
        Set<String> ids = new HashSet<>();
        confirmation.confirm(
                verb, live(scheduler, job -> ids.add(job.lastStatus().jobSpecificationId())));
        return ids;
    }

    /** The live jobs of the kind, each of which {@code reader} gets. */
    final Confirmation.Jobs live(Scheduler scheduler, Consumer<Job> reader) {
        Confirmation.Jobs jobs = new Confirmation.Jobs();
        for (JobQuery query = kind.query(PAGE); query != null; ) {
            JobPage page = scheduler.listJobs(query);
            for (Job job : page.jobs()) {
                jobs.add(
                        job.specification().jobSpecificationKey(),
                        job.specification().applicationTag());
                reader.accept(job);
            }
            jobs.addUnknown(page.damaged().size());
            query = page.lastKey() == null ? null : query.after(page.lastKey());
        }
        return jobs;
    }

    final Confirmation confirmation() {
        return confirmation;
    }

    final boolean isAll() {
        return all;
    }

    final boolean isNone() {
        return keys.isEmpty() && !kind.isGiven() && !all;
    }

    final boolean isContinued() {
        return kind.isContinued();
    }

    /** The key, if only one is named. */
    @Nullable
    final String named() {
        return keys.size() == 1 ? keys.iterator().next() : null;
    }

    /** The key, if only one is named, and it is to be changed. */
    @Nullable
    final String single() {
        return confirmation.isDryRun() ? null : named();
    }
}
