package dev.almanac.mongo;

import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.StoredGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;

/** The collection {@code control}, read whole: pauses, groups, and counters of edits. */
final class ControlDocuments {
    static final String PAUSE = "pause ";
    private static final String PAUSE_OF = "pauseOf";
    /** A field of its own, so that nodes of older versions skip standby pauses and do not treat them as damaged. */
    private static final String STANDBY_OF = "standbyOf";

    static final String CALENDARS = "calendars";
    static final String ZONE_RULES = "zoneRules";
    static final String INTERRUPTS = "interrupts";

    private ControlDocuments() {}

    /** The field for the scope of a pause. */
    static String field(PauseScope scope) {
        return scope instanceof PauseScope.Node ? STANDBY_OF : PAUSE_OF;
    }

    static ClusterControl read(Iterable<Document> documents) {
        List<StandingPause> pauses = new ArrayList<>();
        Map<String, StoredGroup> groups = new HashMap<>();
        Map<Object, Document> single = new HashMap<>();
        for (Document document : documents) {
            Object id = document.get("_id");
            if (document.containsKey(PAUSE_OF) || document.containsKey(STANDBY_OF)) {
                pauses.add(closed(document));
            } else if (GroupDocument.isOne(id)) {
                StoredGroup group = GroupDocument.read(document);
                groups.put(group.name(), group);
            } else {
                single.put(id, document);
            }
        }
        Document none = new Document();
        return new ClusterControl(
                pauses,
                Fields.number(single.getOrDefault(CALENDARS, none), "edits"),
                Fields.optional(single.getOrDefault(ZONE_RULES, none), "checked", String.class),
                DefaultCalendarDocument.read(single.getOrDefault(DefaultCalendarDocument.ID, none)),
                Fields.number(single.getOrDefault(INTERRUPTS, none), "orders"),
                groups);
    }

    /** A damaged pause: it pauses the scope that it names, or everything, until it is resumed or stored again. */
    private static StandingPause closed(Document from) {
        try {
            return pause(from);
        } catch (RuntimeException e) {
            MongoClusterStore.tell(from, e);
            Pause held = new Pause("its document is damaged: " + e.getMessage(), "unknown", null);
            Instant since = from.get("since") instanceof Date date ? date.toInstant() : Instant.EPOCH;
            return new StandingPause(scope(from), held, since);
        }
    }

    private static PauseScope scope(Document from) {
        try {
            return PauseScope.parse(String.valueOf(from.get("_id")).substring(PAUSE.length()));
        } catch (RuntimeException e) {
            return PauseScope.everything();
        }
    }

    private static StandingPause pause(Document from) {
        return new StandingPause(
                PauseScope.parse(
                        Fields.required(from, from.containsKey(PAUSE_OF) ? PAUSE_OF : STANDBY_OF, String.class)),
                new Pause(
                        Fields.required(from, "reason", String.class),
                        Fields.required(from, "author", String.class),
                        Fields.instant(from, "until")),
                Objects.requireNonNull(Fields.instant(from, "since")));
    }
}
