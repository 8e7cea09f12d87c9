package dev.almanac.model;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the engine and the stores read and set in a specification; services have no use for it. Not thread-safe. */
public final class StoredFields {
    private static final String KEY = "jobSpecificationKey";

    private final JobSpecificationBuilder job;

    private StoredFields(JobSpecificationBuilder job) {
        this.job = job;
    }

    /** Those of a copy, for {@link #build}. */
    public static StoredFields of(JobSpecification job) {
        return of(job.toBuilder());
    }

    /** Those of this builder. */
    public static StoredFields of(JobSpecificationBuilder job) {
        return new StoredFields(job);
    }

    /** @throws IllegalArgumentException unless each is a field that a change of a job may set */
    static void checkNames(Collection<String> fields) {
        Map<String, @Nullable Object> known = new JobSpecificationBuilder().contents();
        for (String field : fields) {
            if (!known.containsKey(field) || field.equals(KEY)) {
                throw new IllegalArgumentException("'" + field + "' is no field of a job that can be changed");
            }
        }
    }

    /** Takes these fields, by the names of {@link JobSpecification#changesSince}, from another one. */
    public StoredFields take(Collection<String> fields, JobSpecification from) {
        JobSpecificationBuilder other = from.toBuilder();
        fields.forEach(field -> job.take(field, other));
        return this;
    }

    /** The specification with these fields. */
    public JobSpecification build() {
        return job.build();
    }
}
