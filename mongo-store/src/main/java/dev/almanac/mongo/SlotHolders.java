package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Updates;
import dev.almanac.store.ClaimRequest;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Finds the holders of the slots of an exclusive group (rule P9) by the unique index on them. */
final class SlotHolders {
    private SlotHolders() {}

    /**
     * A free slot, or one that is taken away from a job whose lease is over, margin included, since perhaps no node can
     * claim that job again.
     *
     * @return absent if all are held
     */
    static @Nullable String free(MongoCollection<Document> jobs, ClaimRequest request, ClaimRequest.Entry entry) {
        Map<String, Document> holders = new HashMap<>();
        jobs.find(Filters.in(Changes.GROUP, entry.slots()))
                .projection(Projections.include(Changes.GROUP, "due", "lease"))
                .forEach(holder -> holders.put(String.valueOf(holder.get(Changes.GROUP)), holder));
        for (String slot : entry.slots()) {
            if (!holders.containsKey(slot)) {
                return slot;
            }
        }
        for (String slot : entry.slots()) {
            if (isOver(holders.get(slot), request) && takeAway(jobs, slot, holders.get(slot))) {
                return slot;
            }
        }
        return null;
    }

    /**
     * As {@link dev.almanac.store.StoredJob#keepsSlotAt}: without a due time the lease says when it is over. One that does
     * not say it is over.
     */
    private static boolean isOver(Document holder, ClaimRequest request) {
        if (holder.get("due") instanceof Date due) {
            return !due.after(horizon(request));
        }
        Object until = holder.get("lease") instanceof Document lease ? lease.get("until") : null;
        return !(until instanceof Date end && end.after(ended(request)));
    }

    private static Date horizon(ClaimRequest request) {
        return Date.from(request.horizon());
    }

    /** A lease that has ended by then is over, margin included. */
    private static Date ended(ClaimRequest request) {
        return Date.from(request.horizon().minus(request.margin()));
    }

    /** With its lease, unless that was renewed since it was read: a renewal that comes late finds none to lengthen. */
    private static boolean takeAway(MongoCollection<Document> jobs, String slot, Document read) {
        Document guard = new Document("_id", read.get("_id")).append(Changes.GROUP, slot);
        List.of("due", "lease").forEach(field -> guard.append(field, new Document("$eq", read.get(field))));
        Bson loss = Updates.combine(
                Updates.unset(Changes.GROUP), Updates.unset("lease"), Updates.inc(Changes.REVISION, 1L));
        return jobs.updateOne(guard, loss).getModifiedCount() > 0;
    }
}
