package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.terminal.Confirmation;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.model.Job;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Which jobs are changed: those of some keys, all live ones of a kind, or all. A mixin of the commands that change jobs. A
 * change of other jobs than those of named keys is confirmed first (rule S14).
 */
final class JobSelectionOptions {
    private static final int PAGE = 1_000;
    private static final int SHOWN = 3;

    @Parameters(
            arity = "0..*",
            paramLabel = "KEY",
            description = "the keys of the jobs; all of a kind: --where-...; every job: --all")
    private @Nullable List<String> keys;

    @Option(names = "--where-tag", paramLabel = "TAG", description = "all live jobs that carry this tag")
    private @Nullable String tag;

    @Option(names = "--where-type", paramLabel = "TYPE", description = "all live jobs with this command type")
    private @Nullable String type;

    @Option(names = "--where-application", paramLabel = "TAG", description = "all live jobs of this application")
    private @Nullable String application;

    @Option(names = "--where-requestor", paramLabel = "ID", description = "all live jobs of this requestor")
    private @Nullable String requestor;

    @Option(
            names = "--where-key-prefix",
            paramLabel = "TEXT",
            description = "all live jobs whose key begins with this text")
    private @Nullable String prefix;

    @Option(names = "--all", description = "all live jobs, of every application")
    private boolean all;

    @Option(
            names = "--after",
            paramLabel = "KEY",
            description =
                    "with --where-... or --all, only jobs whose key comes after this one: continues what was interrupted")
    private @Nullable String after;

    @Option(names = "--dry-run", description = "only show what would happen")
    private boolean dryRun;

    @Mixin
    private Confirmation confirmation;

    /** @throws InvalidInputException unless either keys, a kind or all are named, and none by an empty text */
    void check() {
        refuseEmpty("--where-tag", tag);
        refuseEmpty("--where-type", type);
        refuseEmpty("--where-application", application);
        refuseEmpty("--where-requestor", requestor);
        refuseEmpty("--where-key-prefix", prefix);
        refuseEmpty("--after", after);
        if (all && (!keys().isEmpty() || isKind())) {
            throw new InvalidInputException(
                    "--all means every job; leave out KEYs and --where-..., or leave out --all");
        }
        if (isNone() || !keys().isEmpty() && isKind()) {
            throw new InvalidInputException("which jobs? Give their KEYs, or options such as --where-tag night;"
                    + " a job must match all of them");
        }
        if (after != null && !isKind() && !all) {
            throw new InvalidInputException("--after continues a change of all jobs of a kind; it needs --where-...");
        }
    }

    /** Of a shell variable that is not set: it must not select every job. */
    static void refuseEmpty(String option, @Nullable String text) {
        if (text != null && text.isEmpty()) {
            throw new InvalidInputException(
                    option + " is empty, which selects nothing; leave it out if it is not meant");
        }
    }

    /** Returns if the change is to be made; named keys, and a dry run, need no confirmation. */
    void confirm(Scheduler scheduler, String verb) {
        if (dryRun || !isKind() && !all) {
            return;
        }
        int count = 0;
        Set<String> applications = new TreeSet<>();
        List<String> first = new ArrayList<>();
        JobQuery query = query();
        while (true) {
            JobPage page = scheduler.listJobs(query);
            count += page.jobs().size() + page.damaged().size();
            for (Job job : page.jobs()) {
                first.add(job.specification().jobSpecificationKey());
                if (job.specification().applicationTag() != null) {
                    applications.add(job.specification().applicationTag());
                }
            }
            first = new ArrayList<>(first.subList(0, Math.min(first.size(), SHOWN)));
            if (page.lastKey() == null) {
                break;
            }
            query = query.after(page.lastKey());
        }
        confirmation.confirm(verb, count, applications, first);
    }

    boolean isConfirmed() {
        return confirmation.isGiven();
    }

    boolean isAll() {
        return all;
    }

    boolean isNone() {
        return keys().isEmpty() && !isKind() && !all;
    }

    boolean isDryRun() {
        return dryRun;
    }

    /** The key, if only one is named, and it is to be changed. */
    @Nullable
    String single() {
        return keys().size() == 1 && !dryRun ? keys().get(0) : null;
    }

    /** What was named; {@link #check} comes first. */
    JobSelection selection() {
        return isKind() || all ? JobSelection.matching(query()) : new JobSelection.Keys(keys());
    }

    private JobQuery query() {
        return new JobQuery(requestor, tag, application, null, prefix, type, null, null, after, PAGE);
    }

    private List<String> keys() {
        return keys == null ? List.of() : keys;
    }

    private boolean isKind() {
        return Stream.of(tag, type, application, requestor, prefix).anyMatch(Objects::nonNull);
    }
}
