package dev.almanac.web.page;

import dev.almanac.model.ActionReport.Result;
import dev.almanac.store.StoreException;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.page.ActPage.Line;
import dev.almanac.web.read.StoreReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * An action on all jobs of a filter, carried out in the background, with its progress. Nothing is done if these are not
 * the jobs that were counted for the preview, in the versions of then; one that others change while the action goes on is
 * refused, and if failures are to be closed, one that has failed since the preview. Thread-safe.
 */
final class FilterAction {
    private static final Logger LOG = LoggerFactory.getLogger(FilterAction.class);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int MOST_REFUSED = 500;
    private static final int PART = 100;

    private final Duration offset;
    private volatile State state;

    /**
     * What was done so far.
     *
     * @param filter as it was typed, by name
     * @param until when the pauses end; absent if it makes none, or they have no end
     * @param expected how many jobs were to be acted on
     * @param ended absent while it is in progress
     * @param refusals the first jobs that were refused
     * @param problem why it was not carried out, or not to the end; absent if it was
     */
    record State(
            JobActions action,
            Map<String, String> filter,
            String author,
            String reason,
            String back,
            @Nullable Instant until,
            int expected,
            Instant begun,
            @Nullable Instant ended,
            long done,
            long unchanged,
            long refused,
            List<Line> refusals,
            @Nullable String problem) {
        /** Absent also if it has made none. */
        @Override
        public @Nullable Instant until() {
            return ended != null && done + unchanged == 0 ? null : until;
        }

        State plus(List<Line> lines) {
            List<Line> all = new ArrayList<>(refusals);
            lines.stream()
                    .filter(line -> line.result() == Result.REFUSED)
                    .limit(MOST_REFUSED - refusals.size())
                    .forEach(all::add);
            return with(
                    ended,
                    done + count(lines, Result.DONE),
                    unchanged + count(lines, Result.UNCHANGED),
                    refused + count(lines, Result.REFUSED),
                    List.copyOf(all),
                    problem);
        }

        private static long count(List<Line> lines, Result result) {
            return lines.stream().filter(line -> line.result() == result).count();
        }

        private State ended(Instant at, @Nullable String why) {
            return with(at, done, unchanged, refused, refusals, why);
        }

        private State with(
                @Nullable Instant end, long ok, long same, long not, List<Line> listed, @Nullable String why) {
            return new State(
                    action, filter, author, reason, back, until, expected, begun, end, ok, same, not, listed, why);
        }

        long handled() {
            return done + unchanged + refused;
        }

        String title() {
            return action.label() + " " + NowPage.grouped(expected) + (expected == 1 ? " job" : " jobs");
        }

        /** The result as a file. */
        String json() {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("action", action.name());
            all.put("filter", filter);
            all.put("author", author);
            all.put("reason", reason);
            all.put("until", until() == null ? null : until().toString());
            all.put("begun", begun.toString());
            all.put("ended", ended == null ? null : ended.toString());
            all.put("problem", problem);
            all.put("expected", expected);
            all.put("done", done);
            all.put("unchanged", unchanged);
            all.put("refused", refused);
            all.put(
                    "refusals",
                    refusals.stream()
                            .map(line -> Map.of("job", line.name(), "detail", line.detail()))
                            .toList());
            all.put("refusalsNotListed", refused - refusals.size());
            return MAPPER.writeValueAsString(all);
        }
    }

    /** @param offset of the server's clock */
    private FilterAction(State state, Duration offset) {
        this.state = state;
        this.offset = offset;
    }

    State state() {
        return state;
    }

    /**
     * Begins the action that a form confirms.
     *
     * @param lasting notes that it goes on; what that answers is run when it has ended
     */
    static FilterAction begin(StoreReader storeReader, Setup setup, PageRequest call, Supplier<Runnable> lasting) {
        PageRequest filtered = call.with(call.required("filter"));
        JobActions action = ActPage.action(call);
        String digest = call.required("digest");
        Instant now = storeReader.now();
        Instant named = Moments.back(call, "seen", call.required("seen"));
        Instant seen = named.isAfter(now) ? now : named;
        FilterAction begun = new FilterAction(
                new State(
                        action,
                        Matches.filter(filtered),
                        call.viewer().author(),
                        call.reason(),
                        call.back(),
                        action.until(call),
                        expected(call),
                        now,
                        null,
                        0,
                        0,
                        0,
                        List.of(),
                        null),
                Duration.between(Instant.now(), now));
        Runnable ended = lasting.get();
        ActionEffects effects = new ActionEffects(storeReader, setup, call, action);
        storeReader.inBackground(() -> begun.carryOut(storeReader, filtered, digest, seen, effects, ended));
        return begun;
    }

    private static int expected(PageRequest call) {
        String typed = call.required("expected");
        if (!typed.matches("[0-9]{1,9}")) {
            throw Refusal.badRequest("'expected' is not a number of jobs.");
        }
        return Integer.parseInt(typed);
    }

    private void carryOut(
            StoreReader storeReader,
            PageRequest filtered,
            String digest,
            Instant seen,
            ActionEffects effects,
            Runnable ended) {
        String problem;
        try {
            problem = apply(Matches.of(storeReader, filtered, seen, Matches.WITHOUT_BOUND), digest, seen, effects);
        } catch (StoreException e) {
            LOG.warn("an action on all jobs of a filter has ended early", e);
            problem = early("The database did not answer, or answered with an error");
        } catch (RuntimeException | Error e) {
            LOG.error("an action on all jobs of a filter has failed", e);
            problem = early("This action failed");
        }
        // once: with each part, no long search of a viewer would end before the action does
        storeReader.changed();
        ended.run();
        state = state.ended(Instant.now().plus(offset), problem);
    }

    /** @param seen the moment of the preview: failures that came later were not seen */
    private @Nullable String apply(Matches matches, String digest, Instant seen, ActionEffects effects) {
        int expected = state.expected();
        if (matches.more() || matches.count() != expected) {
            return "Nothing was done: " + (matches.more() ? "more than " : "")
                    + NowPage.grouped(matches.more() ? Matches.MOST : matches.count()) + " jobs match now, and "
                    + NowPage.grouped(expected) + " were expected. Check the effects again, then confirm.";
        }
        if (!matches.digest(state.action()).equals(digest)) {
            return "Nothing was done: as many jobs match as were expected, but other jobs match now, or some were"
                    + " changed since the preview. Check the effects again, then confirm.";
        }
        state = state.plus(matches.damaged().stream()
                .map(damaged -> new Line(damaged.key(), "", Result.REFUSED, damaged.reason(), null, null))
                .toList());
        List<JobReference> jobs =
                matches.jobs().stream().map(job -> job.seenUntil(seen)).toList();
        for (int from = 0; from < jobs.size(); from += PART) {
            List<JobReference> part = jobs.subList(from, Math.min(from + PART, jobs.size()));
            state = state.plus(effects.act(effects.targets(part, true).stream()
                    .map(ActionEffects.Target::unlessChanged)
                    .toList()));
        }
        return null;
    }

    private String early(String why) {
        return why + ": see the log of this process. " + NowPage.grouped(state.handled()) + " of "
                + NowPage.grouped(state.expected()) + " jobs were handled; of the " + PART
                + " that follow some may be changed, and no others.";
    }
}
