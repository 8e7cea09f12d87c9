package dev.almanac.web.page;

import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.store.DamagedJobException;
import dev.almanac.web.read.StoreReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Previews and applies actions. Jobs that the viewer may not change are left out. */
final class ActionEffects {
    private static final String NOT_ALLOWED = "is no job that you may change";

    private final StoreReader storeReader;
    private final PageRequest call;

    ActionEffects(StoreReader storeReader, PageRequest call) {
        this.storeReader = storeReader;
        this.call = call;
    }

    /** The results of a dry run. */
    List<Item> preview(JobAction action, List<String> keys) {
        return apply(storeReader.scheduler().as(call.viewer().author(), null), action, keys, true);
    }

    /** Applies the action and returns the results. */
    List<Item> act(JobAction action, List<String> keys, @Nullable String reason) {
        List<Item> done = apply(storeReader.scheduler().as(call.viewer().author(), reason), action, keys, false);
        storeReader.changed();
        return done;
    }

    private List<Item> apply(Scheduler scheduler, JobAction action, List<String> keys, boolean dryRun) {
        List<String> changeable = keys.stream().filter(this::mayChange).toList();
        Map<String, Item> items = new HashMap<>();
        if (!changeable.isEmpty()) {
            ActionReport report = scheduler.apply(action, new JobSelection.Keys(changeable), dryRun);
            report.items().forEach(item -> items.put(item.key(), item));
        }
        return keys.stream()
                .map(key -> items.getOrDefault(key, new Item(key, Result.REFUSED, NOT_ALLOWED)))
                .toList();
    }

    private boolean mayChange(String key) {
        try {
            return storeReader
                    .find(key)
                    .filter(job -> JobVisibility.isSeen(call, job)
                            && call.viewer()
                                    .changes()
                                    .include(job.specification().applicationTag()))
                    .isPresent();
        } catch (DamagedJobException unreadable) {
            return call.changesAll();
        }
    }
}
