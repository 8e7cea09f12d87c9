package dev.almanac.store;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Remembers jobs and their status rows, and makes each guarded write atomic. It decides nothing: what is written is
 * computed before, from what was read. Thread-safe.
 *
 * <p>All times are given by the caller, by its estimate of the server's clock; the store never compares the clocks of
 * two nodes. Writes are durable (majority) when they return. A method that throws {@link StoreException} leaves open
 * whether its write was applied; the caller may repeat it word for word.
 */
public interface JobStore {
    /** How bodies of commands become plain values that this store can keep. No input or output; never fails. */
    CommandCodec commandCodec();

    /**
     * Opens the store: creates or verifies collections, indexes and the schema version. Idempotent; nodes that open
     * at the same time agree.
     *
     * @throws StoreRefusedException if the store cannot be used; the message holds what to do
     * @throws StoreException if the server cannot be reached, with what was tried and without the password
     */
    StoreReport open();

    /** The server's clock at some moment between call and return, in milliseconds. */
    Instant serverTime();

    /**
     * Stores new jobs, document first, row second. Atomic per job: of all live jobs only one can have a key.
     *
     * <p>If another node stored the key first, that item answers false and writes nothing. If the reply is lost, a
     * repetition with the same ids answers true for what had been stored, and adds rows that were missing.
     *
     * @return for each item in order whether it is stored
     */
    List<Boolean> insert(List<NewJob> jobs);

    /**
     * The live job of that key or, if asked for and there is none, the one that finished last. Majority-read.
     *
     * @throws DamagedJobException if its document cannot be read
     */
    Optional<StoredJob> find(String jobSpecificationKey, FindScope scope);

    /** The documents of these ids that exist and can be read, live or not, in any order. Majority-read. */
    List<StoredJob> load(Collection<String> ids);

    /** One page of jobs in the order of their keys. */
    JobList list(JobQuery query);

    /** Status rows, newest first by {@code updatedTime}. */
    List<JobExecutionStatus> rows(RowQuery query);

    /**
     * Live jobs whose {@code due} is not after the query's, the earliest first. A look, not a promise: others may see
     * the same. A store may answer fewer than there are for up to a second after a change, never others.
     */
    List<DueJob> due(DueQuery query);

    /**
     * Claims (rule P1). Per document one atomic guarded write: if it is live and {@code due <= horizon}, it gets the
     * lease, the new {@code due}, and {@code claimSeq + 1}. Documents that another node won, that were cancelled, or
     * whose {@code due} has moved are left alone and do not appear in the answer. A document that cannot be read is
     * set aside in the same call.
     *
     * <p>If the reply is lost, some or all documents may hold the lease: nothing of it may be run unless a
     * {@link #renew} with the same token confirms it; else it expires.
     */
    ClaimResult claim(ClaimRequest request);

    /**
     * Lengthens leases (rule P3), per document one atomic write guarded by id and token; never shortens one, since a
     * renewal may arrive after a later one. What does not appear in the answer is no longer held: its lease was taken
     * over, or the job is gone. If the reply is lost, leases may have
     * been lengthened, which does no harm; the caller's trust does not grow.
     */
    List<HeldLease> renew(Renewal renewal);

    /**
     * Applies changes, per change one atomic write guarded by id, version and lease as {@code before} has them, in the
     * order that the change names; then stamps. What is equal in {@code before} and {@code after} is left as it is
     * stored: a holder may have written it since. Rows that exist already are left as they are (their ids are
     * deterministic). Changes of one call do not depend on each other.
     *
     * <p>If another node changed the document first, its item answers false, and nothing but the rows of a
     * ROWS_FIRST change was written. If the reply is lost, the caller repeats the call: what had been applied answers
     * false then, and the document tells by its {@code doneSeq} or version.
     *
     * @return for each change in order whether it was applied
     */
    List<Boolean> write(List<JobChange> changes);

    /** What the nodes share beside the jobs, in the same database. No input or output; never fails. */
    ClusterStore cluster();

    /** Removes what has expired, at most {@code limit} documents; needed only where the server does not do it. */
    long purge(Instant now, int limit);
}
