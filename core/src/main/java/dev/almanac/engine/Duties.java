package dev.almanac.engine;

import dev.almanac.engine.change.ReplanDuty;
import dev.almanac.engine.claim.ClaimDuty;
import dev.almanac.engine.node.NodeDuty;
import dev.almanac.engine.node.PurgeDuty;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.run.LeaseBook;
import dev.almanac.engine.run.LeaseDuty;
import dev.almanac.engine.run.Starter;
import dev.almanac.runtime.Lane;

/** The duties of a started node. */
public record Duties(
        ClaimDuty claimDuty,
        LeaseDuty leaseDuty,
        NodeDuty nodeDuty,
        PurgeDuty purgeDuty,
        ReplanDuty replanDuty,
        Starter starter,
        Reachability reachability,
        Lane control,
        Lane plan) {

    void start(boolean purge) {
        leaseDuty.start();
        nodeDuty.start();
        replanDuty.start();
        if (purge) {
            purgeDuty.start();
        }
    }

    void stopClaiming() {
        claimDuty.stop();
        starter.close();
    }

    boolean isIdle(LeaseBook book) {
        return book.size() == 0 && claimDuty.isIdle();
    }

    void stop() {
        leaseDuty.stop();
        nodeDuty.stop();
        purgeDuty.stop();
        replanDuty.stop();
    }
}
