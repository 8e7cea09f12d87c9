package dev.almanac.engine.change;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.NewJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Stores many new jobs with few round trips; each has its own result. Used once, by one thread. */
final class ManyJobs {
    private final Registrar registrar;
    private final Admission check;
    private final Node node;
    private final List<Integer> places = new ArrayList<>();
    private final List<NewJob> created = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();

    ManyJobs(Registrar registrar, Admission check, Node node) {
        this.registrar = registrar;
        this.check = check;
        this.node = node;
    }

    /** What exists already, or is named twice, is replaced one by one. */
    List<BulkItem> schedule(List<JobSpecification> given) {
        BulkItem[] items = new BulkItem[given.size()];
        for (int i = 0; i < items.length; i++) {
            create(i, given.get(i));
        }
        List<Boolean> done = registrar.insert(created);
        for (int j = 0; j < created.size(); j++) {
            if (done.get(j)) {
                items[places.get(j)] = told(created.get(j));
            }
        }
        for (int i = 0; i < items.length; i++) {
            items[i] = items[i] == null ? oneByOne(given.get(i)) : items[i];
        }
        return List.of(items);
    }

    private void create(int place, JobSpecification given) {
        try {
            SpecificationCheck.Accepted accepted =
                    check.accept(given, node.clock().now(), null);
            if (keys.add(accepted.specification().jobSpecificationKey())) {
                created.add(registrar.create(accepted));
                places.add(place);
            }
        } catch (InvalidJobException refused) {
            // the live job of its key may be the same, and then it is not refused
        }
    }

    private BulkItem told(NewJob created) {
        try {
            return registrar.told(created.job());
        } catch (InvalidJobException refused) {
            return new BulkItem(created.job().key(), null, refused);
        }
    }

    private BulkItem oneByOne(JobSpecification given) {
        try {
            return new BulkItem(given.jobSpecificationKey(), registrar.schedule(given, IfExists.REPLACE), null);
        } catch (IllegalStateException | InvalidJobException refused) {
            return new BulkItem(given.jobSpecificationKey(), null, refused);
        }
    }
}
