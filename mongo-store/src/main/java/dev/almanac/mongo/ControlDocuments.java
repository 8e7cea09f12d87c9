package dev.almanac.mongo;

import com.mongodb.client.model.Filters;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.StoredGroup;
import dev.almanac.text.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The collection {@code control}, read whole: pauses, groups, and counters of edits. */
final class ControlDocuments {
    private static final Logger LOG = LoggerFactory.getLogger(ControlDocuments.class);
    private static final int MOST_LOGGED = 10_000;
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    private static final String PAUSE = "pause ";
    private static final String BEHIND_PAUSES = "pause!";
    private static final Pattern PLANNED = Pattern.compile("from (\\S+) (.*)", Pattern.DOTALL);
    static final String PAUSE_OF = "pauseOf";

    static final String CALENDARS = "calendars";
    static final String ZONE_RULES = "zoneRules";
    static final String INTERRUPTS = "interrupts";

    private ControlDocuments() {}

    /** @param from the beginning of a planned pause; absent = it began at once */
    static String pauseId(PauseScope scope, @Nullable Instant from) {
        return PAUSE + (from == null ? "" : "from " + from + " ") + scope;
    }

    /** The pause that was asked for then; one whose document is damaged may not say when. */
    static Bson pauseOf(String id, Instant since) {
        return Filters.and(
                Filters.eq("_id", id),
                Filters.or(
                        Filters.eq("since", Date.from(since)), Filters.not(Filters.type("since", BsonType.DATE_TIME))));
    }

    /**
     * Pauses of a scope and beginning that stand in another place than {@link #pauseId}, since they were damaged or written
     * by hand: they hold as the others, and end as they do.
     *
     * @param since of the one that is meant; absent = all
     */
    static List<Document> misplaced(
            Iterable<Document> documents, PauseScope scope, @Nullable Instant from, @Nullable Instant since) {
        List<Document> found = new ArrayList<>();
        for (Document document : documents) {
            if (isPause(document) && !pauseId(scope, from).equals(document.get("_id"))) {
                StandingPause pause = closed(document);
                if (pause.replaces(scope, from) && (since == null || since.equals(pause.since()))) {
                    found.add(document);
                }
            }
        }
        return found;
    }

    /** Pauses that had ended by themselves; turns have a time until which they last, too, and are none. */
    static Bson endedBefore(Instant time) {
        return Filters.and(
                Filters.gte("_id", PAUSE), Filters.lt("_id", BEHIND_PAUSES), Filters.lte("until", Date.from(time)));
    }

    /** A turn that has ended, or whose end was damaged by hand. */
    static Bson turnOver(Instant now) {
        return Filters.or(
                Filters.lte("until", Date.from(now)),
                Filters.gt("until", Date.from(now.plus(ClusterStore.LONGEST_TURN))),
                Filters.not(Filters.type("until", BsonType.DATE_TIME)));
    }

    static ClusterControl read(Iterable<Document> documents) {
        List<StandingPause> pauses = new ArrayList<>();
        Map<String, StoredGroup> groups = new HashMap<>();
        Map<Object, Document> single = new HashMap<>();
        for (Document document : documents) {
            Object id = document.get("_id");
            if (isPause(document)) {
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
                edits(single.getOrDefault(CALENDARS, none), "edits"),
                single.getOrDefault(ZONE_RULES, none).get("checked") instanceof String checked ? checked : null,
                edits(single.getOrDefault(INTERRUPTS, none), "orders"),
                groups);
    }

    /** A counter of which only changes matter. One that was damaged by hand must not hide the pauses. */
    private static long edits(Document from, String what) {
        return from.get(what) instanceof Number number ? number.longValue() : 0;
    }

    /** By the field or by the id: damage of one of them never ends a pause. */
    private static boolean isPause(Document document) {
        return document.containsKey(PAUSE_OF) || document.get("_id") instanceof String id && id.startsWith(PAUSE);
    }

    /** A damaged pause: it pauses the scope that it names, or everything, until it is resumed or stored again. */
    private static StandingPause closed(Document from) {
        try {
            BoundedDocuments.requireWhole(from);
            return pause(from);
        } catch (RuntimeException e) {
            warn(from, e);
            Pause held = new Pause("its document is damaged: " + e.getMessage(), "unknown", null);
            Instant since = from.get("since") instanceof Date date ? date.toInstant() : Instant.EPOCH;
            return ofId(String.valueOf(from.get("_id")), held, since);
        }
    }

    /** What the id says: the scope, and the beginning of a planned pause. */
    private static StandingPause ofId(String id, Pause held, Instant since) {
        try {
            String named = id.substring(PAUSE.length());
            Matcher planned = PLANNED.matcher(named);
            return planned.matches()
                    ? new StandingPause(
                            PauseScope.parse(planned.group(2)), held.from(Instant.parse(planned.group(1))), since)
                    : new StandingPause(PauseScope.parse(named), held, since);
        } catch (RuntimeException e) {
            return new StandingPause(PauseScope.everything(), held, since);
        }
    }

    private static StandingPause pause(Document from) {
        return new StandingPause(
                PauseScope.parse(Fields.required(from, PAUSE_OF, String.class)),
                new Pause(
                        Fields.required(from, "reason", String.class),
                        Fields.required(from, "author", String.class),
                        Fields.instant(from, "from"),
                        Fields.instant(from, "until")),
                Objects.requireNonNull(Fields.instant(from, "since")));
    }

    /** These documents are read several times a second, so each damage is logged once. */
    static void warn(Document document, RuntimeException e) {
        String id = Printable.value(document.get("_id"));
        String damage = Printable.value(e);
        if (LOGGED.size() >= MOST_LOGGED) {
            LOGGED.clear();
        }
        if (LOGGED.add(id + " " + damage)) {
            LOG.warn("ALM-008 the document '{}' cannot be read: {}", id, damage);
        }
    }
}
