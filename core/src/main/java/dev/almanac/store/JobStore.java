package dev.almanac.store;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Stores jobs and their status rows, and makes each guarded write atomic. It decides nothing: changes are computed
 * before, from what was read. Thread-safe.
 *
 * <p>All times are given by the caller, by its estimate of the server's clock; the store never compares the clocks of
 * two nodes. Writes are durable (majority) when they return. A method that throws {@link StoreException} leaves open
 * whether its write was applied; the caller may repeat the same call.
 */
public interface JobStore extends JobRegister {
    /** Converts bodies of commands to plain values that this store can keep. No input or output; never fails. */
    CommandCodec commandCodec();

    /**
     * Opens the store: creates or verifies collections, indexes and the schema version. Idempotent; nodes that open
     * at the same time agree.
     *
     * @throws StoreRefusedException if the store cannot be used; the message says what to do
     * @throws StoreException if the server cannot be reached, with what was tried and without the password
     */
    StoreReport open();

    /** The server's clock at some moment between call and return, in milliseconds. */
    Instant serverTime();

    /**
     * Of each of these keys the live job, or else the one that finished last, by key. A key that is missing
     * in the answer has no job (rule P11). For many keys at once: at most a thousand.
     *
     * @throws DamagedJobException if one of them cannot be read
     * @throws StoreException also if it is not known whether a key has a job
     */
    Map<String, StoredJob> newest(Collection<String> keys);

    /**
     * The documents of these ids that exist and can be read, live or not, in any order. Majority-read; a document that is
     * missing in the answer does not exist or cannot be read (rule P11).
     *
     * @throws StoreException also if it is not known whether one of them exists
     */
    List<StoredJob> load(Collection<String> ids);

    /**
     * One page of jobs in the order of their keys. That a job is not in it proves nothing: who decides on an
     * absence asks {@link #find} for that key.
     *
     * @param now the time for which states are derived, by the server's clock
     * @param pauses of kinds of jobs, from which states are derived, too
     */
    JobList list(JobQuery query, Instant now, Collection<StandingPause> pauses);

    /**
     * The same for a query without a state.
     *
     * @throws IllegalArgumentException if the query asks for a state
     */
    default JobList list(JobQuery query) {
        if (query.state() != null) {
            throw new IllegalArgumentException("jobs in state " + query.state() + " are listed as of a time");
        }
        return list(query, Instant.EPOCH, List.of());
    }

    /**
     * One page of those live jobs of a query whose plans depend on zone rules and were not made by these. A page may contain
     * other jobs, too: by default it is that of the query.
     *
     * @param zoneRules version of the rules
     * @param query without a state
     */
    default JobList plannedByOthers(String zoneRules, JobQuery query) {
        return list(query);
    }

    /**
     * Status rows, newest first by {@code updatedTime}. An empty answer about a key or a document is certain (rule P11). Other
     * answers may lack the newest rows for as long as a primary does not know that it was deposed. A row that this version cannot
     * read is left out, and logged.
     */
    List<JobExecutionStatus> rows(RowQuery query);

    /**
     * Status rows of several documents: those of one document follow each other, newest first. An answer of {@code limit}
     * rows may lack the oldest of the document that it ends with, and all of others. That a document has none is not certain.
     *
     * @param limit most rows to return in all, 1 to 10 000
     */
    default List<JobExecutionStatus> rows(List<String> jobSpecificationIds, int limit) {
        return jobSpecificationIds.stream()
                .flatMap(id -> rows(RowQuery.ofDocument(id, limit)).stream())
                .limit(limit)
                .toList();
    }

    /**
     * Live jobs whose {@code due} is not after the query's, the earliest first. Other nodes may get the same jobs. For
     * up to a second after a change a store may return fewer jobs than match, but never other ones.
     */
    List<DueJob> due(DueQuery query);

    /**
     * Command types other than these of which live jobs are due. Jobs of the given types cost nothing, however many are
     * due. A store may leave out types if very many jobs of others are due.
     *
     * @param until latest {@code due}
     */
    Set<String> otherDueTypes(Set<String> types, Instant until);

    /**
     * Jobs that a node holds a lease on, in the order of their planned fires.
     *
     * @param now by the server's clock
     * @param horizon leases are looked for among the jobs that may be claimed (again) within this time
     * @param limit most jobs to return; a store may examine no more than 10 000
     */
    List<StoredJob> running(Instant now, Duration horizon, int limit);

    /**
     * The same with a horizon that suffices for leases of the default length. If nothing is found although nodes report
     * runs, it is 15 minutes.
     *
     * @param reported how many runs the nodes report
     */
    default List<StoredJob> running(Instant now, int limit, long reported) {
        List<StoredJob> jobs = running(now, Duration.ofMinutes(1), limit);
        return jobs.isEmpty() && reported > 0 ? running(now, Duration.ofMinutes(15), limit) : jobs;
    }

    /**
     * Claims (rule P1). Per document one atomic guarded write: if it is live and {@code due <= horizon}, it gets the
     * lease, the new {@code due}, and {@code claimSeq + 1}. Documents that another node won, that were cancelled, or
     * whose {@code due} has moved are left alone and do not appear in the answer. A document that cannot be read is
     * blocked in the same call.
     *
     * <p>A job of an exclusive group (rule P9) takes one of the slots that the request names in the same atomic write,
     * the first that is free; the slot is released together with the lease. If other jobs hold all of them, nothing is
     * claimed, unless the lease of one is over, margin included: then the claim takes the slot of that job.
     *
     * <p>If the reply is lost, some or all documents may have the lease: none of them may be run unless a
     * {@link #renew} with the same token confirms it; else it expires.
     */
    ClaimResult claim(ClaimRequest request);

    /**
     * Lengthens leases (rule P3), per document one atomic write guarded by id and token; never shortens one, since a
     * renewal may arrive after a later one. The answer names what this call has lengthened. A job that is not in it is
     * not held: its lease was taken over, the job is gone, or a claim whose reply was lost came after this call. The
     * progress of a run is written with its lease, under the same guard. If the reply is lost, leases may have been
     * lengthened, which does no harm; the caller's trust does not grow.
     */
    List<HeldLease> renew(Renewal renewal);

    /** What the nodes share besides the jobs, in the same database. No input or output; never fails. */
    ClusterStore cluster();

    /**
     * Inserts status rows. A row that is there already is left as it is, but for a log that it lacks. If the reply is lost, a
     * repetition changes nothing.
     */
    void writeRows(List<JobExecutionStatus> rows);

    /**
     * Keeps stored rows on that are removed soon; ids without a row are left out.
     *
     * @param rowIds at most 10 000
     * @param least rows that are removed before this are kept on
     * @param until when these are removed then
     */
    void keepRows(Collection<String> rowIds, Instant least, Instant until);
}
