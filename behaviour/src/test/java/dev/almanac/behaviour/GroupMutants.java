package dev.almanac.behaviour;

import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.Objects;

/** Protocols that leave out one guard of groups each; {@link GroupSimulation} must notice every one. */
enum GroupMutants {
    /** A slot is taken although another job holds it. */
    SLOT_WITHOUT_GUARD("members") {
        @Override
        ClaimResult claim(JobStore store, ClaimRequest request) {
            ClaimRequest.Entry entry = request.entry();
            if (entry == null) {
                return store.claim(request);
            }
            // a slot of its own, which is told as the one that was asked for
            ClaimRequest.Entry free = new ClaimRequest.Entry(
                    entry.group(),
                    entry.seenSlot(),
                    List.of("free\t" + request.lease().token()));
            ClaimResult result = store.claim(
                    new ClaimRequest(request.ids(), request.horizon(), request.lease(), request.visibleAgain(), free));
            List<StoredJob> told = result.jobs().stream()
                    .map(job -> job.with(edit -> edit.lease(
                            Objects.requireNonNull(job.lease()).in(entry.slots().get(0)))))
                    .toList();
            return new ClaimResult(told, result.blocked());
        }
    },
    /** A claim is counted although another node has counted since. */
    COUNT_WITHOUT_GUARD("claims from") {
        @Override
        ClusterStore ofServer(ClusterStore cluster, String group) {
            return StoreHook.over(
                    ClusterStore.class,
                    cluster,
                    (method, arguments, call) -> method.equals("countClaims")
                            ? cluster.countClaims(cluster.control().group(group), (RateUse) arguments[1])
                            : call.proceed());
        }
    },
    /** A node goes on with the limits that it has read first. */
    EDITS_NOT_READ("starts in slot") {
        @Override
        ClusterStore ofNode(ClusterStore cluster) {
            ClusterControl[] first = {null};
            return StoreHook.over(ClusterStore.class, cluster, (method, arguments, call) -> {
                if (method.equals("control") && first[0] == null) {
                    first[0] = (ClusterControl) call.proceed();
                }
                return method.equals("control") ? first[0] : call.proceed();
            });
        }
    };

    private final String complaint;

    GroupMutants(String complaint) {
        this.complaint = complaint;
    }

    /** Part of what is to be found wrong. */
    String complaint() {
        return complaint;
    }

    ClaimResult claim(JobStore store, ClaimRequest request) {
        return store.claim(request);
    }

    /** What all nodes use. */
    ClusterStore ofServer(ClusterStore cluster, String group) {
        return cluster;
    }

    /** What one node uses. */
    ClusterStore ofNode(ClusterStore cluster) {
        return cluster;
    }
}
