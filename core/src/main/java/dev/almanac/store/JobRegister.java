package dev.almanac.store;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The part of a store that users' changes of jobs need: find, insert, write. Every {@link JobStore} is one; a store
 * with transactions may provide others, whose reads and writes belong to a transaction of the caller.
 *
 * <p>What a read by key or id does not find does not exist (rule P11): it was neither acknowledged before the call, nor
 * is it hidden by what the store does not know yet, as after a change of its primary. A store that cannot tell throws a
 * {@link StoreException}. Within a transaction of the caller this holds once the transaction has committed.
 */
public interface JobRegister {
    /**
     * Stores new jobs, document first, row second if it is given. Atomic per job: of all live jobs only one can have a key.
     *
     * <p>If a live job has the key, its life is stored already, or a job of another key has its id, that item answers false and
     * writes nothing. If the reply is lost, a repetition with the same ids and keys answers true for jobs that were stored, and
     * adds missing rows. A job whose row the server refuses for good is stored, and answers true (rule N2).
     *
     * @return for each item in order whether it is stored
     */
    List<Boolean> insert(List<NewJob> jobs);

    /**
     * The highest life of each of the keys among stored jobs, live or not; without those that have none. It may lack what is
     * stored at this moment.
     */
    Map<String, Integer> lastLives(Collection<String> jobSpecificationKeys);

    /** As {@link #lastLives}, of one key; absent = none. */
    default Optional<Integer> lastLife(String jobSpecificationKey) {
        return Optional.ofNullable(lastLives(List.of(jobSpecificationKey)).get(jobSpecificationKey));
    }

    /**
     * The live job of that key or, if asked for and there is none, the one that finished last: that with the latest {@code
     * latestUpdate}, since the jobs of a key follow one another. Majority-read; an empty answer is certain, as described above.
     *
     * @throws StoreException also if it is not known whether there is one
     * @throws DamagedJobException if its document cannot be read
     */
    Optional<StoredJob> find(String jobSpecificationKey, FindScope scope);

    /**
     * Applies changes, per change one atomic write guarded by the revision of {@code before} (rule N6), with the rows that
     * it hides before it, and its own rows after it; outside transactions also the limit of the stored ones. What is equal in {@code before} and {@code after} is
     * left as it is stored: a renewal may have changed it since. Rows that exist already are left as they are (their ids
     * are deterministic). Changes of one call do not depend on each other.
     *
     * <p>If another node changed the document first, its item answers false, and nothing but {@link JobChange#rowsBefore}
     * was written. If the reply is lost, the caller repeats the call: a change that was applied then answers false, and the
     * document shows it (rule N7).
     *
     * <p>A change that removes deletes its document under the same guard, and only that document: a job of the same key
     * that was stored since is another one. Repeated, it answers true or false if the document is missing; while its
     * lease is valid, only the caller can have deleted it, so the change was applied.
     *
     * @return for each change in order whether it was applied
     */
    List<Boolean> write(List<JobChange> changes);

    /**
     * As {@link #write(List)}, for a sender that keeps rows until they are stored. A store that can fail to store rows before
     * the change that hides them overrides this.
     *
     * @param owed is given rows that were to be stored before a change and could not be, whether refused or unanswered: the change goes
     *     on, and they are to be written by {@link JobStore#writeRows} until the store has them or refuses them for good
     *     (rule N3); called before the call returns
     */
    default List<Boolean> write(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        return write(changes);
    }
}
