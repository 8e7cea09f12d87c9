// Four read-only views for people in the Mongo shell. They store nothing and cost nothing until they are queried; Almanac
// does not use them. Create them once, with the rights of the role almanac_bootstrap:
//
//   mongosh <uri>/<database> docs/mongo-views.js
//
// If your store has a collection prefix, put it before each name, also before the collections. A name that is in use is
// refused; to replace a view, drop it first: db.almanac_late.drop()

// jobs with a lease that has not ended, the longest running first
db.createView("almanac_running", "jobSpecification", [
  {$match: {lease: {$exists: true}, deleteTime: {$exists: false}, $expr: {$gt: ["$lease.until", "$$NOW"]}}},
  {$sort: {nextFireTime: 1}},
  {$lookup: {from: "node", localField: "lease.owner", foreignField: "_id", as: "node"}},
  {$project: {_id: 0, jobSpecificationKey: 1, type: 1, nextFireTime: 1, attempt: {$add: [{$ifNull: ["$attempts", 0]}, 1]},
    claimSeq: 1, owner: "$lease.owner", node: {$first: "$node.label"}, until: "$lease.until", cancelRequested: 1,
    interruptRequested: 1}}
]);

// jobs that may be claimed and were not, or whose lease has ended, the latest first
db.createView("almanac_late", "jobSpecification", [
  {$match: {due: {$exists: true}, deleteTime: {$exists: false}, $expr: {$lt: ["$due", "$$NOW"]}}},
  {$sort: {due: 1}},
  {$project: {_id: 0, jobSpecificationKey: 1, type: 1, priority: 1, nextFireTime: 1, due: 1,
    secondsLate: {$divide: [{$subtract: ["$$NOW", "$due"]}, 1000]}, attempts: 1, lostBy: "$lease.owner"}}
]);

// fires that failed for good and have not expired, the newest first
db.createView("almanac_failed", "jobExecutionStatus", [
  {$match: {executionStatus: "FAILED", outcome: {$nin: ["FAILURE_DELIVERED", "FAILURE_UNDELIVERED", "ACKNOWLEDGED", "REPLANNED"]}}},
  {$sort: {updatedTime: -1}},
  {$project: {_id: 0, jobSpecificationKey: 1, updatedTime: 1, outcome: 1, fireTime: 1, attempt: 1, node: 1,
    error: {type: "$error.type", message: "$error.message"}, detail: 1, nextFireTime: 1}}
]);

// jobs that will be claimed within the next hour, in that order
db.createView("almanac_next", "jobSpecification", [
  {$match: {due: {$exists: true}, lease: {$exists: false}, deleteTime: {$exists: false},
    $expr: {$and: [{$gte: ["$due", "$$NOW"]}, {$lt: ["$due", {$add: ["$$NOW", 3600000]}]}]}}},
  {$sort: {due: 1}},
  {$project: {_id: 0, jobSpecificationKey: 1, type: 1, priority: 1, due: 1, nextFireTime: 1, retryTime: 1, attempts: 1}}
]);
