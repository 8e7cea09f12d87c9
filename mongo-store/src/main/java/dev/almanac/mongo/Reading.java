package dev.almanac.mongo;

import dev.almanac.store.DamagedJob;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;

/** Reads documents; one that cannot be read does not keep the others from being read. */
final class Reading {
    private Reading() {}

    static JobList jobs(Iterable<Document> documents) {
        List<StoredJob> jobs = new ArrayList<>();
        List<DamagedJob> damaged = new ArrayList<>();
        for (Document document : documents) {
            try {
                jobs.add(SpecificationDocument.read(document));
            } catch (DamagedDocumentException e) {
                damaged.add(new DamagedJob(
                        Ids.fromBson(Objects.requireNonNull(document.get("_id"))),
                        document.get("jobSpecificationKey") instanceof String key ? key : "?",
                        String.valueOf(e.getMessage())));
            }
        }
        return new JobList(jobs, damaged, false);
    }

    static StoredJob jobOrThrow(Document document) {
        try {
            return SpecificationDocument.read(document);
        } catch (DamagedDocumentException e) {
            throw new IllegalStateException(
                    "ALM-005 the document of job '" + document.get("jobSpecificationKey") + "' cannot be read: "
                            + e.getMessage() + "; mend it in the Mongo shell, then unset 'blocked'",
                    e);
        }
    }
}
