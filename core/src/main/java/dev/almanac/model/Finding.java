package dev.almanac.model;

import org.jspecify.annotations.Nullable;

/**
 * A violation of an invariant in the stored state.
 *
 * @param kind what it is, for programs
 * @param subject key of the job, name of the index, id of the node or command type that it is about; absent if it is
 *     about none in particular
 * @param text the facts, with values
 * @param advice what to do
 */
public record Finding(Kind kind, @Nullable String subject, String text, String advice) {

    /** The stable id of the kind, such as {@code ALM-030}; docs/messages.md has a heading for each. */
    public String id() {
        return kind.id;
    }

    @Override
    public String toString() {
        return id() + " " + text + "; " + advice;
    }

    /** Kinds of findings. */
    public enum Kind {
        /** Others have added an index that expires documents, a validator or a view to the collections. */
        FOREIGN("ALM-020"),
        /** A job that a live node can run, and that is neither paused nor blocked, has been due for too long. */
        OVERDUE("ALM-030"),
        /** A lease has ended without a recorded outcome, and no node has claimed the job since. */
        LEASE_NOT_RECOVERED("ALM-031"),
        /** The row that a job's {@code lastStatus} copies is missing (rule P7). */
        ROW_MISSING("ALM-033"),
        /** A finished job has a due time. */
        FINISHED_WITH_DUE("ALM-035"),
        /** A live job has no due time, although it is neither paused nor blocked. */
        NO_DUE_TIME("ALM-036"),
        /** An index is missing or differs from the expected one. */
        INDEX("ALM-037"),
        /** No live node takes the command type, or the priority, of live jobs (rules R8, S20). */
        UNSERVED("ALM-038"),
        /** The clock of a node differs from the server's by more than it should. */
        CLOCK_OFFSET("ALM-039"),
        /** The live nodes have different versions of the time zone rules (rule T6). */
        MIXED_ZONE_RULES("ALM-040"),
        /** A document cannot be read as a job. */
        DAMAGED("ALM-041"),
        /** A live job is blocked, such as by calendars that leave it no fire, until it is repaired. */
        BLOCKED("ALM-042"),
        /** A kind of jobs, or all of them, is paused. */
        PAUSED("ALM-043"),
        /** A node has ended or lost its server without a drain. */
        NODE_LOST("ALM-044"),
        /** The document of a group cannot be read, so that none of its jobs is claimed. */
        GROUP_DAMAGED("ALM-045"),
        /** Fields of a job are pinned. */
        PINNED("ALM-046");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        /** The stable id. */
        public String id() {
            return id;
        }
    }
}
