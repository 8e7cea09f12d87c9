package dev.almanac.web.page;

import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.JobAction;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.StoreReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An action: first what it would do, then what it did.
 *
 * @param action which
 * @param items for each job
 * @param done whether it was done
 * @param fields what was typed for it, by name
 * @param back address that it came from
 * @param problem what is missing before it can be done
 */
record ActPage(
        JobActions action,
        List<Item> items,
        boolean done,
        Map<String, String> fields,
        String back,
        @Nullable String problem) {
    /** How many jobs a form may name. */
    static final int MOST = 100;

    private static final int FORBIDDEN = 403;
    /** The values on which the effects depend. */
    private static final List<String> CHANGES = List.of("cron", "zoneId", "priority");

    private static final String UNSEEN = "These are not the values of the last preview. Nothing was changed; check what"
            + " they would do, then confirm again.";

    static ActPage of(StoreReader storeReader, Setup setup, PageRequest call) {
        if (!setup.changes() || call.viewer().changes().isEmpty()) {
            throw new Refusal(FORBIDDEN, "This console only shows; you may change nothing here.");
        }
        JobActions action = JobActions.read(call.required("do"));
        List<String> keys = call.parameters("key");
        if (action == null || keys.size() > MOST) {
            throw Refusal.badRequest(
                    action == null ? "There is no such action." : "At most " + MOST + " jobs at once.");
        }
        JobAction request = action(action, call);
        ActionEffects effects = new ActionEffects(storeReader, call);
        String reason = call.parameter("reason");
        boolean confirmed = "yes".equals(call.parameter("confirmed"));
        String problem = problem(keys, confirmed, call);
        boolean act = confirmed && problem == null;
        List<Item> items = act ? effects.act(request, keys, reason) : effects.preview(request, keys);
        return new ActPage(action, items, act, fields(call), call.back(), problem);
    }

    private static JobAction action(JobActions action, PageRequest call) {
        try {
            return action.action(call);
        } catch (IllegalArgumentException wrong) {
            throw Refusal.badRequest(String.valueOf(wrong.getMessage()));
        }
    }

    private static @Nullable String problem(List<String> keys, boolean confirmed, PageRequest call) {
        if (keys.isEmpty()) {
            return "No job is selected.";
        }
        if (confirmed || call.parameter("reason") != null) {
            try {
                call.reason();
            } catch (IllegalArgumentException wrong) {
                return wrong.getMessage();
            }
        }
        return confirmed && !isSeen(call) ? UNSEEN : null;
    }

    /** Whether the form was sent with the values of the preview that it was shown with. */
    private static boolean isSeen(PageRequest call) {
        return CHANGES.stream().allMatch(name -> Objects.equals(call.parameter(name), call.parameter("shown." + name)));
    }

    private static Map<String, String> fields(PageRequest call) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String name : List.of("until", "cron", "zoneId", "priority", "reason")) {
            String value = call.parameter(name);
            if (value != null) {
                fields.put(name, value);
            }
        }
        return fields;
    }

    long changing() {
        return items.stream().filter(item -> item.result() == Result.DONE).count();
    }

    Chip chip(Item item) {
        return switch (item.result()) {
            case DONE -> done ? new Chip("done", "good") : new Chip("will change", "info");
            case UNCHANGED -> new Chip("unchanged", "quiet");
            case REFUSED -> new Chip("refused", "warn");
        };
    }

    String title() {
        return action.label() + (items.size() == 1 ? " " + items.get(0).key() : " " + items.size() + " jobs");
    }
}
