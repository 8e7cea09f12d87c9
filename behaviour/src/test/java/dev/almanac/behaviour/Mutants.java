package dev.almanac.behaviour;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Stores that leave out one guard of the protocol each; the simulation must notice every one. */
enum Mutants {
    /** A claim whose outcome is unknown is taken for granted. */
    START_BEFORE_ACKNOWLEDGEMENT {
        @Override
        Object claim(JobStore seen, JobStore store, ClaimRequest request) {
            try {
                return seen.claim(request);
            } catch (StoreException unknown) {
                List<StoredJob> imagined = store.load(request.ids()).stream()
                        .map(job -> job.with(edit -> edit.lease(request.lease())
                                .sequences(new Sequences(
                                        job.sequences().fireSeq(),
                                        job.sequences().claimSeq() + 1,
                                        job.sequences().doneSeq(),
                                        job.sequences().startedSeq()))))
                        .toList();
                return new ClaimResult(imagined, List.of());
            }
        }
    },
    /** A renewal is applied whoever holds the lease, or if nobody does. */
    RENEW_WITHOUT_TOKEN {
        @Override
        Object renew(JobStore store, Renewal renewal) {
            List<HeldLease> held = new ArrayList<>();
            for (StoredJob job : store.load(renewal.tokens().keySet())) {
                long token = renewal.tokens().get(job.id());
                StoredJob renewed = job.with(edit ->
                        edit.lease(new Lease("any", token, renewal.until())).due(renewal.visibleAgain()));
                store.write(List.of(new JobChange(job, renewed, List.of(), null, JobChange.Order.DOCUMENT_FIRST)));
                held.add(new HeldLease(job.id(), token, job.specification().version(), false));
            }
            return held;
        }
    },
    /** A change is applied whoever holds the lease now. */
    WRITE_WITHOUT_TOKEN {
        @Override
        JobChange change(JobChange change, StoredJob stored) {
            Lease lease = stored.lease();
            boolean holder = change.before().lease() != null && lease != null;
            return holder
                    ? onBefore(
                            change,
                            change.before().with(edit -> edit.lease(lease).sequences(stored.sequences())))
                    : change;
        }
    },
    /** A holder's change is applied although a user has changed the job meanwhile. */
    WRITE_WITHOUT_VERSION {
        @Override
        JobChange change(JobChange change, StoredJob stored) {
            return change.order() == JobChange.Order.ROWS_FIRST
                    ? onBefore(change, change.before().with(edit -> edit.specification(stored.specification())))
                    : change;
        }
    },
    /** A pause makes a leased job invisible. */
    PAUSE_UNSETS_DUE {
        @Override
        JobChange change(JobChange change, StoredJob stored) {
            boolean pausesLeased = change.order() == JobChange.Order.DOCUMENT_FIRST
                    && change.before().lease() != null
                    && change.after().requests().pause() != null;
            return pausesLeased
                    ? new JobChange(
                            change.before(),
                            change.after().with(edit -> edit.due(null)),
                            change.rows(),
                            change.stamp(),
                            change.order())
                    : change;
        }
    },
    /** What abandoned claims have written is not read. */
    RECOVERY_WITHOUT_ROWS {
        @Override
        Object rows(JobStore store, RowQuery query) {
            return query.jobSpecificationId() != null ? List.of() : store.rows(query);
        }
    },
    /** A row of a holder carries the time at which it arrives. */
    ROWS_WITHOUT_CAP {
        @Override
        JobChange change(JobChange change, StoredJob stored) {
            if (change.order() == JobChange.Order.DOCUMENT_FIRST
                    || change.rows().isEmpty()) {
                return change;
            }
            List<JobExecutionStatus> later = change.rows().stream()
                    .map(row -> row.toBuilder()
                            .updatedTime(row.updatedTime().plusSeconds(40))
                            .build())
                    .toList();
            StoredJob after = change.after().with(edit -> edit.lastStatus(later.get(later.size() - 1)));
            return new JobChange(change.before(), after, later, change.stamp(), change.order());
        }
    };

    Object claim(JobStore seen, JobStore store, ClaimRequest request) {
        return seen.claim(request);
    }

    Object renew(JobStore store, Renewal renewal) {
        return store.renew(renewal);
    }

    Object rows(JobStore store, RowQuery query) {
        return store.rows(query);
    }

    JobChange change(JobChange change, StoredJob stored) {
        return change;
    }

    private static JobChange onBefore(JobChange change, StoredJob before) {
        return new JobChange(before, change.after(), change.rows(), change.stamp(), change.order());
    }

    /** Whether the mistake is the node's, on this side of the network; else it is the store's. */
    boolean isOfNode() {
        return this == START_BEFORE_ACKNOWLEDGEMENT;
    }

    /**
     * @param seen what is wrapped
     * @param store the store behind everything
     */
    JobStore over(JobStore seen, JobStore store) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "claim":
                            return claim(seen, store, (ClaimRequest) arguments[0]);
                        case "renew":
                            return renew(seen, (Renewal) arguments[0]);
                        case "rows":
                            return rows(seen, (RowQuery) arguments[0]);
                        case "write":
                            @SuppressWarnings("unchecked")
                            List<JobChange> changes = (List<JobChange>) arguments[0];
                            return seen.write(mutated(changes, store));
                        default:
                            try {
                                return method.invoke(seen, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                    }
                });
    }

    private List<JobChange> mutated(List<JobChange> changes, JobStore store) {
        Map<String, StoredJob> stored =
                store.load(changes.stream().map(change -> change.before().id()).toList()).stream()
                        .collect(Collectors.toMap(StoredJob::id, Function.identity()));
        return changes.stream()
                .map(change -> stored.containsKey(change.before().id())
                        ? change(change, stored.get(change.before().id()))
                        : change)
                .toList();
    }
}
