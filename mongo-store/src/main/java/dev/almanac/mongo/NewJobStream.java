package dev.almanac.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.almanac.store.JobWatch;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * A change stream of jobs that become due at once. The server sends the id of an event alone, and only for inserts of the
 * asked types and for updates that bring {@code due} near; an update does not contain its job's type. Claims and renewals move
 * {@code due} away, and the end of a claim, which writes {@code doneSeq}, is left out.
 */
final class NewJobStream implements JobWatch {
    /** How long a reading waits for an event: a node without new jobs reads twelve times a minute. */
    private static final long WAIT_MILLIS = 5_000;
    /** The time of an event is cut to seconds. */
    private static final long SOON_MILLIS = SOON.toMillis() + 1_000;

    private static final String CHANGED = "updateDescription.updatedFields.";

    private final MongoCursor<Document> cursor;

    private NewJobStream(MongoCursor<Document> cursor) {
        this.cursor = cursor;
    }

    /** @param jobs read as the majority has them, each call with a time limit */
    static NewJobStream open(MongoCollection<Document> jobs, Set<String> types) {
        Long limit = jobs.getTimeout(TimeUnit.MILLISECONDS);
        long wait = limit == null || limit == 0 ? WAIT_MILLIS : Math.max(1, Math.min(WAIT_MILLIS, limit / 2));
        return new NewJobStream(jobs.watch(pipeline(types))
                .maxAwaitTime(wait, TimeUnit.MILLISECONDS)
                .withDocumentClass(Document.class)
                .cursor());
    }

    private static List<Bson> pipeline(Set<String> types) {
        Bson stored = Filters.and(
                Filters.eq("operationType", "insert"),
                Filters.in("fullDocument.type", types),
                isSoon("fullDocument.due"));
        Bson changed = Filters.and(
                Filters.eq("operationType", "update"),
                Filters.exists(CHANGED + "doneSeq", false),
                isSoon(CHANGED + "due"));
        return List.of(Aggregates.match(Filters.or(stored, changed)), Aggregates.project(Projections.include("_id")));
    }

    /** By the time of the event, since {@code $$NOW} is the moment at which the stream was opened. */
    private static Bson isSoon(String due) {
        Document soon = new Document("$add", List.of(new Document("$toDate", "$clusterTime"), SOON_MILLIS));
        return Filters.and(Filters.type(due, "date"), Filters.expr(new Document("$lte", List.of("$" + due, soon))));
    }

    @Override
    public boolean anyDue() {
        return MongoCalls.read("watching for new jobs", () -> {
            boolean any = cursor.tryNext() != null;
            while (cursor.available() > 0) {
                cursor.tryNext();
            }
            if (cursor.getServerCursor() == null) {
                throw new MongoException("the server has ended the change stream");
            }
            return any;
        });
    }

    @Override
    public void close() {
        cursor.close();
    }
}
