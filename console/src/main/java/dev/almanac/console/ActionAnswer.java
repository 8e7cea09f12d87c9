package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSelection;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.StoreException;
import dev.almanac.text.Printable;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Applies an action page by page, and prints the results job by job as each page comes, and the totals at the end. */
final class ActionAnswer {
    private final Map<Result, Long> totals = new EnumMap<>(Result.class);
    private final Output out;
    private final boolean dryRun;
    private final Function<Item, String> detail;
    /** The last that was not refused, before those that an outage has left out. */
    private @Nullable String last;

    private boolean leftOut;
    /** What was done although an outage has left out others before it. */
    private final List<String> doneBehind = new ArrayList<>();

    private @Nullable StoreException outage;

    private ActionAnswer(Output out, boolean dryRun, Function<Item, String> detail) {
        this.out = out;
        this.dryRun = dryRun;
        this.detail = detail;
    }

    /** The exit code: 1 if something was refused. */
    static int apply(Output out, Scheduler scheduler, JobAction action, JobSelection selection, boolean dryRun) {
        return apply(out, scheduler, action, selection, dryRun, Item::detail);
    }

    /** @param detail of a result, for people */
    static int apply(
            Output out,
            Scheduler scheduler,
            JobAction action,
            JobSelection selection,
            boolean dryRun,
            Function<Item, String> detail) {
        requireSingle(scheduler, action, selection);
        ActionAnswer answer = new ActionAnswer(out, dryRun, detail);
        // an outage that leaves nothing known to be done is reported as by any command
        ActionReport first = scheduler.apply(action, selection, dryRun);
        if (out.isJson()) {
            try (Json.Listing listing = out.listing("jobs")) {
                answer.pages(
                        scheduler,
                        action,
                        first,
                        item -> listing.item(new Fields()
                                .with("jobSpecificationKey", item.key())
                                .with("result", item.result())
                                .with("detail", item.detail())));
                listing.end(answer.sumJson());
            }
        } else {
            answer.pages(scheduler, action, first, item -> out.line(item.key() + ": " + answer.text(item)));
            out.line(answer.sum());
        }
        if (answer.outage != null || answer.leftOut) {
            out.out().flush();
            if (dryRun) {
                throw new CommandFailedException(
                        "the database did not answer for a time, so not all was looked at; repeat the command",
                        answer.outage);
            }
            throw new CommandFailedException(
                    (answer.outage == null
                                    ? "the database did not answer for a time; the jobs that are refused for that"
                                    : "the database does not answer any more; the next jobs behind those above")
                            + " may have been changed: look at them" + answer.rest(action, selection),
                    answer.outage);
        }
        return answer.count(Result.REFUSED) > 0 ? 1 : 0;
    }

    /** @throws JobNotFoundException if one key is named alone, and no job has it that the action could be for */
    private static void requireSingle(Scheduler scheduler, JobAction action, JobSelection selection) {
        if (!(selection instanceof JobSelection.Keys named) || named.keys().size() != 1) {
            return;
        }
        String key = named.keys().get(0);
        boolean ended = action instanceof JobAction.Rerun || action instanceof JobAction.Acknowledge;
        try {
            scheduler
                    .findJobById(key, ended ? FindScope.INCLUDING_FINISHED : FindScope.LIVE)
                    .orElseThrow(() -> new JobNotFoundException(key));
        } catch (DamagedJobException e) {
            // there is one, and the action says why it cannot be read
        }
    }

    /** All pages, or those before an outage. */
    private void pages(Scheduler scheduler, JobAction action, ActionReport first, Consumer<Item> print) {
        ActionReport page = first;
        while (true) {
            for (Item item : page.items()) {
                totals.merge(item.result(), 1L, Long::sum);
                follow(item);
                print.accept(item);
            }
            out.out().flush();
            if (page.next() == null) {
                return;
            }
            try {
                page = scheduler.apply(action, page.next(), dryRun);
            } catch (StoreException e) {
                outage = e;
                return;
            }
        }
    }

    private void follow(Item item) {
        leftOut |= item.leftOut();
        if (!leftOut && item.result() != Result.REFUSED) {
            last = item.key();
        } else if (leftOut && item.result() == Result.DONE) {
            doneBehind.add(item.key());
        }
    }

    /** How to continue, as the end of a sentence. */
    private String rest(JobAction action, JobSelection selection) {
        String options = selection instanceof JobSelection.Keys
                ? ", then name those again that are neither done nor unchanged"
                : last == null
                        ? ", then repeat the command"
                        : ", then continue with " + Printable.option("--after", last);
        if (last != null && selection instanceof JobSelection.Failed failed) {
            // as the first command has counted: a moment such as 24h ago is another one by then
            options += (failed.until() == null ? "" : " --until " + failed.until())
                    + (failed.from() == null ? "" : " --since " + failed.from());
        }
        boolean twice = action instanceof JobAction.RunNow && !(selection instanceof JobSelection.Keys);
        return options
                + (twice && !doneBehind.isEmpty() ? "; this runs once more: " + String.join(", ", doneBehind) : "");
    }

    private long count(Result result) {
        return totals.getOrDefault(result, 0L);
    }

    private String text(Item item) {
        return switch (item.result()) {
                    case DONE -> dryRun ? "would be done: " : "";
                    case UNCHANGED -> "unchanged, ";
                    case REFUSED -> "refused: ";
                }
                + oneLine(detail.apply(item));
    }

    /** The problems of a refused job, which are a list with a line for each. */
    private static String oneLine(String detail) {
        return detail.replace(":\n  - ", ": ").replace("\n  - ", "; ");
    }

    private String sum() {
        String done = count(Result.DONE) + (dryRun ? " would be done, " : " done, ");
        String rest = count(Result.UNCHANGED) + " unchanged, " + count(Result.REFUSED) + " refused";
        return done + rest + (dryRun ? "; nothing was changed (--dry-run)" : "");
    }

    private Fields sumJson() {
        Fields sum = new Fields();
        for (Result result : Result.values()) {
            sum.with(result.name().toLowerCase(Locale.ROOT), count(result));
        }
        return sum.with("dryRun", dryRun);
    }
}
