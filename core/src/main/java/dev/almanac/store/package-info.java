/**
 * The interfaces between the engine and a database: {@link dev.almanac.store.JobStore} stores jobs and makes each
 * guarded write atomic; it decides nothing. {@link dev.almanac.store.StoredJob} is the specification document as a
 * record. The contract that every store must meet is {@code JobStoreContract} in the testkit.
 *
 * <p>For those who write a store. Services need none of it, and any release may change it.
 */
@NullMarked
package dev.almanac.store;

import org.jspecify.annotations.NullMarked;
