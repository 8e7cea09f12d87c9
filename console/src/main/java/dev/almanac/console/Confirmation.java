package dev.almanac.console;

import dev.almanac.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Whether a change of many jobs is meant (rule S14): a person is asked, a program says so with --yes. A mixin of the
 * commands that can make such a change.
 */
final class Confirmation {
    private static final int NAMED = 3;

    private final ProcessEnvironment process;

    @Option(names = "--dry-run", description = "only show what would be done")
    private boolean dryRun;

    @Option(names = "--yes", description = "the change is meant: do not ask")
    private boolean yes;

    @Option(
            names = "--expect",
            paramLabel = "N",
            description = "change nothing unless exactly so many jobs are selected; for programs, beside --yes")
    private @Nullable Integer expected;

    Confirmation(ProcessEnvironment process) {
        this.process = process;
    }

    boolean isDryRun() {
        return dryRun;
    }

    /** Whether --yes was given. */
    boolean isGiven() {
        return yes;
    }

    boolean isExpectedGiven() {
        return expected != null;
    }

    /** Whether it matters how many jobs there are: a person is asked, or a program expects a number. */
    boolean isCounted() {
        return !dryRun && (!yes || expected != null);
    }

    /** @throws CommandFailedException if there are more or fewer jobs than expected; a dry run changes none anyway */
    void expect(int count) {
        if (!dryRun && expected != null && expected != count) {
            throw new CommandFailedException("nothing was changed: --expect " + expected
                    + " does not hold, the change would be of " + TextLayout.jobs(count));
        }
    }

    /** The jobs that a change is of, as the question names them. */
    static final class Jobs {
        private final Set<String> applications = new TreeSet<>();
        private final List<String> first = new ArrayList<>();
        private int count;
        private int withoutApplication;

        void add(String key, Optional<String> application) {
            count++;
            application.ifPresentOrElse(applications::add, () -> withoutApplication++);
            if (first.size() < NAMED) {
                first.add(key);
            }
        }

        /** Adds jobs of which no more is known. */
        void addUnknown(int jobs) {
            count += jobs;
        }

        int count() {
            return count;
        }

        /** Their applications and the first keys, behind their number; empty if there are none. */
        String words() {
            String tags = String.join(", ", applications);
            String of = applications.isEmpty()
                    ? withoutApplication == 0 ? "" : ", of no application"
                    : ", of application" + (applications.size() == 1 ? " " : "s ") + tags
                            + (withoutApplication == 0 ? "" : ", and " + withoutApplication + " of none");
            int others = count - first.size();
            return of
                    + (first.isEmpty() ? "" : ": " + String.join(", ", first))
                    + (first.isEmpty() || others == 0 ? "" : ", and " + others + " more");
        }
    }

    /**
     * Returns if the change is to be made.
     *
     * @param verb what would be done with the jobs, such as {@code cancel}
     * @throws InvalidInputException if no person is there to ask, and --yes was not given
     * @throws CommandFailedException if the answer is no, or there are more or fewer jobs than expected
     */
    void confirm(String verb, Jobs jobs) {
        expect(jobs.count());
        if (jobs.count() > 0) {
            ask(
                    verb + " " + TextLayout.jobs(jobs.count()) + jobs.words(),
                    ", and --expect " + jobs.count() + " to have the number checked");
        }
    }

    /**
     * As {@link #confirm}, of what also holds later jobs.
     *
     * @param what would be done
     * @param further what a program can add beside --yes; empty = nothing
     */
    void ask(String what, String further) {
        if (yes) {
            return;
        }
        if (process.answers() == null) {
            throw new InvalidInputException(
                    "nothing was changed: this would " + what + "; add --yes if that is meant" + further);
        }
        if (!isYes(what)) {
            throw new CommandFailedException("nothing was changed");
        }
    }

    private boolean isYes(String what) {
        process.out().flush();
        process.err().print(Printable.lines("This will " + what + "\nGo on? [y/N] "));
        process.err().flush();
        try {
            String answer = process.answers() == null ? null : process.answers().readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        } catch (IOException e) {
            throw new UncheckedIOException("the answer could not be read", e);
        }
    }
}
