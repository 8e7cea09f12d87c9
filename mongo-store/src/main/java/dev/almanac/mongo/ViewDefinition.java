package dev.almanac.mongo;

import java.util.List;
import org.bson.Document;

/**
 * The definition of a view.
 *
 * @param name without the prefix
 * @param source the collection it shows, without the prefix
 * @param text its pipeline; {@code <prefix>} stands before names of collections
 */
record ViewDefinition(String name, String source, String text) {
    /** Jobs with a lease that has not ended, the longest running first. */
    private static final ViewDefinition RUNNING = new ViewDefinition("almanac_running", StoreCollections.JOBS, """
            [{$match: {lease: {$exists: true}, deleteTime: {$exists: false},
                       $expr: {$gt: ["$lease.until", "$$NOW"]}}},
             {$sort: {nextFireTime: 1}},
             {$lookup: {from: "<prefix>node", localField: "lease.owner", foreignField: "_id", as: "node"}},
             {$project: {_id: 0, jobSpecificationKey: 1, type: 1, nextFireTime: 1,
                         attempt: {$add: [{$ifNull: ["$attempts", 0]}, 1]}, claimSeq: 1,
                         owner: "$lease.owner", node: {$first: "$node.label"}, until: "$lease.until",
                         cancelRequested: 1, interruptRequested: 1}}]
            """);

    /** Jobs that may be claimed and were not, or whose lease has ended, the latest first. */
    private static final ViewDefinition LATE = new ViewDefinition("almanac_late", StoreCollections.JOBS, """
            [{$match: {due: {$exists: true}, deleteTime: {$exists: false}, $expr: {$lt: ["$due", "$$NOW"]}}},
             {$sort: {due: 1}},
             {$project: {_id: 0, jobSpecificationKey: 1, type: 1, priority: 1, nextFireTime: 1, due: 1,
                         secondsLate: {$divide: [{$subtract: ["$$NOW", "$due"]}, 1000]}, attempts: 1,
                         lostBy: "$lease.owner"}}]
            """);

    /** Fires that failed for good and have not expired, the newest first. */
    private static final ViewDefinition FAILED = new ViewDefinition("almanac_failed", StoreCollections.ROWS, """
            [{$match: {executionStatus: "FAILED", outcome: {$nin: ["FAILURE_DELIVERED", "FAILURE_UNDELIVERED"]}}},
             {$sort: {updatedTime: -1}},
             {$project: {_id: 0, jobSpecificationKey: 1, updatedTime: 1, outcome: 1, fireTime: 1, attempt: 1, node: 1,
                         error: {type: "$error.type", message: "$error.message"}, detail: 1, nextFireTime: 1}}]
            """);

    /** Jobs that will be claimed within the next hour, in that order. */
    private static final ViewDefinition NEXT = new ViewDefinition("almanac_next", StoreCollections.JOBS, """
            [{$match: {due: {$exists: true}, lease: {$exists: false}, deleteTime: {$exists: false},
                       $expr: {$and: [{$gte: ["$due", "$$NOW"]}, {$lt: ["$due", {$add: ["$$NOW", 3600000]}]}]}}},
             {$sort: {due: 1}},
             {$project: {_id: 0, jobSpecificationKey: 1, type: 1, priority: 1, due: 1, nextFireTime: 1, retryTime: 1,
                         attempts: 1}}]
            """);

    static final List<ViewDefinition> ALL = List.of(RUNNING, LATE, FAILED, NEXT);

    List<Document> pipeline(String prefix) {
        return Document.parse("{stages: " + text.replace("<prefix>", prefix) + "}")
                .getList("stages", Document.class);
    }
}
