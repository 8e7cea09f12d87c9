package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.HeldLease;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Claims whose outcome is unknown. Nothing of them is run; a renewal with the same token confirms what the claim had
 * taken, and it is run from then (rule P2). If no renewal is answered before the lease would have to be over, they are
 * left to expire. Their slots stay reserved until then: they may be this node's.
 */
final class DoubtfulClaims {
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofMillis(500), Duration.ofSeconds(4));

    private final Node node;
    private final StoreCalls calls;

    DoubtfulClaims(Node node, StoreCalls calls) {
        this.node = node;
        this.calls = calls;
    }

    /** @param resolved receives what was claimed, once that is known, or nothing, once the leases are over */
    void add(ClaimRequest request, Consumer<Answer> resolved) {
        add(request, PAUSE.first(), resolved);
    }

    private void add(ClaimRequest request, Duration pause, Consumer<Answer> resolved) {
        Duration longer = PAUSE.longer(pause);
        calls.ask(
                Reachability.CONFIRMATIONS,
                pause,
                () -> confirm(request),
                StoreCalls.end(
                        answer -> {
                            if (answer.known()) {
                                if (!answer.jobs().isEmpty()) {
                                    // the store has applied and acknowledged the claim after all
                                    calls.answered(Reachability.CLAIMS);
                                }
                                resolved.accept(answer);
                            } else {
                                add(request, longer, resolved);
                            }
                        },
                        least -> add(request, longer, resolved),
                        () -> {}));
    }

    /**
     * What the store has answered.
     *
     * @param known whether the result is known now
     * @param jobs that were claimed after all
     * @param sent when the renewal was sent that confirms them, by the monotonic clock
     */
    record Answer(boolean known, List<StoredJob> jobs, long sent) {}

    private Answer confirm(ClaimRequest request) {
        if (!node.clock().confirm(node.store())) {
            return new Answer(false, List.of(), 0);
        }
        long sent = node.clock().nanos();
        Instant now = node.clock().at(sent);
        if (!now.isBefore(request.lease().until().minus(node.settings().margin()))) {
            return new Answer(true, List.of(), sent);
        }
        Instant until = now.plus(node.settings().leaseLength());
        Map<String, Long> tokens = new HashMap<>();
        request.ids().forEach(id -> tokens.put(id, request.lease().token()));
        List<String> held =
                node
                        .store()
                        .renew(new Renewal(
                                tokens, until, until.plus(node.settings().margin())))
                        .stream()
                        .map(HeldLease::id)
                        .toList();
        List<StoredJob> jobs = node.store().load(held).stream()
                .filter(job -> job.isHeldWith(request.lease().token()))
                .toList();
        return new Answer(true, jobs, sent);
    }
}
