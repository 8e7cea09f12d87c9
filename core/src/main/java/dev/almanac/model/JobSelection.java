package dev.almanac.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The jobs that an action applies to. Immutable. */
public sealed interface JobSelection {
    /**
     * The jobs of these keys, 1 to 1 000.
     *
     * @param seen the jobs as a person has seen them, by key: another job that has taken the key is refused; a key without one
     *     means the job that has it
     */
    record Keys(List<String> keys, Map<String, SeenJob> seen) implements JobSelection {
        /** @throws IllegalArgumentException if there are none, or too many */
        public Keys {
            keys = List.copyOf(keys);
            seen = Map.copyOf(seen);
            if (keys.isEmpty() || keys.size() > 1_000) {
                throw new IllegalArgumentException(keys.size() + " keys are not within 1 to 1000");
            }
        }

        /** The jobs that have these keys. */
        public Keys(List<String> keys) {
            this(keys, Map.of());
        }
    }

    /**
     * A job as a person has seen it.
     *
     * @param document the id of its document
     * @param version of its contents: with another one it is refused; absent = any
     */
    record SeenJob(String document, @Nullable Long version) {
        /** The document is required. */
        public SeenJob {
            Objects.requireNonNull(document, "document");
        }

        /** Of any version. */
        public SeenJob(String document) {
            this(document, null);
        }
    }

    /**
     * The jobs of a query, page by page.
     *
     * @param only the ids of those that are meant, such as those that a person was shown; absent = all that match
     */
    record Matching(JobQuery query, @Nullable Set<String> only) implements JobSelection {
        /** The query is required. */
        public Matching {
            Objects.requireNonNull(query, "query");
        }

        /** All that match. */
        public Matching(JobQuery query) {
            this(query, null);
        }
    }

    /**
     * The jobs with fires that failed for good, the newest failures first, in pages of 1 000 rows.
     *
     * @param from failed at or after this instant; absent = whenever
     * @param until failed before this instant; absent = whenever
     * @param commandType only jobs whose trigger command is of this registered type; absent = of any
     * @param before a later page: what is left of the selection failed before this instant; absent = all of it is left
     */
    record Failed(
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable String commandType,
            @Nullable Instant before) implements JobSelection {
        /** @throws IllegalArgumentException if the type is empty */
        public Failed {
            JobQuery.refuseEmpty("commandType", commandType);
        }

        /** All of the selection. */
        public Failed(@Nullable Instant from, @Nullable Instant until, @Nullable String commandType) {
            this(from, until, commandType, null);
        }
    }

    /** The jobs of these keys. */
    static JobSelection keys(String... keys) {
        return new Keys(List.of(keys));
    }

    /** The jobs of a query, page by page. */
    static JobSelection matching(JobQuery query) {
        return new Matching(query);
    }

    /** Every live job, of every application, page by page. */
    static JobSelection all() {
        return matching(JobQuery.all().limit(1_000));
    }

    /** The jobs with fires that failed for good at or after an instant. */
    static JobSelection failedSince(Instant from) {
        return new Failed(from, null, null);
    }
}
