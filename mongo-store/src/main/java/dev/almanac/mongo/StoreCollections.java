package dev.almanac.mongo;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.almanac.model.JobExecutionStatus;
import org.bson.Document;
import org.bson.codecs.CollectionCodecProvider;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.MapCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * The collections with explicit concerns: independent of the settings of the caller's client, writes wait for the majority
 * and reads go to the primary.
 *
 * @param jobs specification documents
 * @param majorityJobs the same, read with majority read concern, so that the result cannot be rolled back
 * @param rows status rows
 * @param newRows the same, for rows that are inserted
 * @param nodes the reports of nodes
 * @param minutes what nodes have run, minute by minute
 * @param control what was fixed when the store was created, and pauses; read as the majority has it
 * @param calendars stored calendars; read as the majority has them
 * @param calendarVersions replaced versions of them; read as the majority has them
 */
record StoreCollections(
        MongoCollection<Document> jobs,
        MongoCollection<Document> majorityJobs,
        MongoCollection<Document> rows,
        MongoCollection<JobExecutionStatus> newRows,
        MongoCollection<Document> nodes,
        MongoCollection<Document> minutes,
        MongoCollection<Document> control,
        MongoCollection<Document> calendars,
        MongoCollection<Document> calendarVersions) {
    static final String JOBS = "jobSpecification";
    static final String ROWS = "jobExecutionStatus";
    static final String NODES = "node";
    static final String MINUTES = "minute";
    static final String CONTROL = "control";
    static final String CALENDARS = "calendar";
    static final String CALENDAR_VERSIONS = "calendarVersion";

    static StoreCollections of(MongoDatabase database, String prefix) {
        MongoCollection<Document> jobs = durable(database, prefix + JOBS);
        MongoCollection<Document> rows = durable(database, prefix + ROWS);
        return new StoreCollections(
                jobs,
                jobs.withReadConcern(ReadConcern.MAJORITY),
                rows,
                rows.withDocumentClass(JobExecutionStatus.class),
                durable(database, prefix + NODES),
                durable(database, prefix + MINUTES),
                durable(database, prefix + CONTROL).withReadConcern(ReadConcern.MAJORITY),
                durable(database, prefix + CALENDARS).withReadConcern(ReadConcern.MAJORITY),
                durable(database, prefix + CALENDAR_VERSIONS).withReadConcern(ReadConcern.MAJORITY));
    }

    private static MongoCollection<Document> durable(MongoDatabase database, String name) {
        // independent of the codecs of the caller's client: a map with $ref and $id in a body is a map, no reference
        CodecRegistry plain = new KnownCodecs(CodecRegistries.fromRegistries(
                CodecRegistries.fromProviders(
                        new DocumentCodecProvider(),
                        new CollectionCodecProvider(),
                        new IterableCodecProvider(),
                        new MapCodecProvider()),
                database.getCodecRegistry()));
        CodecRegistry bounded = new KnownCodecs(CodecRegistries.fromRegistries(
                CodecRegistries.fromCodecs(new BoundedDocuments(plain), new RowCodec(plain)), plain));
        return database.getCollection(name)
                .withCodecRegistry(bounded)
                .withWriteConcern(WriteConcern.MAJORITY)
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.LOCAL);
    }
}
