package dev.almanac.web.page;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobState;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.web.read.StoreReader;
import dev.almanac.web.text.Clock;
import dev.almanac.web.text.VisibleText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a job is where it is, in few words: equal reasons have equal texts, so that a list can group them. It is made of
 * what a list has read; the page of the job has the whole explanation.
 *
 * @param text in few words
 * @param remedy address of the page where it can be mended; absent if nothing is to be mended
 * @param action what that page is for
 */
record Why(String text, @Nullable String remedy, @Nullable String action) {
    private static final int LONGEST = 120;
    /** Of so many groups a list asks who holds them. */
    private static final int MOST_GROUPS = 5;

    private static final Why NOTHING = new Why("waits for its next fire", null, null);
    private static final Why FOLLOWS = new Why("its run has ended; its follow-ups are to be stored", null, null);
    private static final Why NO_DUE_TIME = new Why("has no due time", "/doctor", "see the doctor");

    /** Jobs with the same reason. */
    record Group(long jobs, Why why) {}

    /**
     * What is known of the cluster.
     *
     * @param isStored whether a calendar of that name is stored; nodes do not report those that their code declares
     * @param held whether all slots of an exclusive group are held; absent = that is not known
     */
    record Cluster(
            List<NodeReport> live,
            List<StandingPause> pauses,
            Predicate<String> isStored,
            Instant now,
            Function<String, Optional<Boolean>> held) {
        /** For one list, since each of its groups is looked at once. */
        static Cluster of(StoreReader reader, Instant now) {
            Map<String, Optional<Boolean>> known = new HashMap<>();
            return new Cluster(
                    reader.nodes().stream().filter(node -> node.isLive(now)).toList(),
                    reader.pauses(),
                    name -> reader.calendars().stream()
                            .anyMatch(stored -> stored.name().equals(name) && !stored.deleted()),
                    now,
                    group -> known.size() >= MOST_GROUPS
                            ? known.getOrDefault(group, Optional.empty())
                            : known.computeIfAbsent(group, name -> isHeld(reader, name)));
        }

        private static Optional<Boolean> isHeld(StoreReader reader, String group) {
            StoredGroup stored = reader.groups().stream()
                    .filter(one -> one.name().equals(group))
                    .findFirst()
                    .orElse(StoredGroup.unlisted(group));
            if (reader.isHeld(stored)) {
                return Optional.of(true);
            }
            // its claims of now are not read here
            return stored.limits().rate() == null ? Optional.of(false) : Optional.empty();
        }
    }

    /** @param errors whether this viewer may see messages of exceptions */
    static Why of(StoredJob job, Cluster cluster, boolean errors) {
        Instant now = cluster.now();
        if (!job.isLive()) {
            return finished(job.lastStatus());
        }
        if (job.lease() != null) {
            return held(job, cluster);
        }
        String canceled = job.cancelWords(now);
        // neither a block nor its own pause holds back the end of a cancelled job
        String blocked = canceled == null ? job.blockedReason() : null;
        if (blocked != null) {
            String reason = errors ? blocked : String.valueOf(HiddenErrors.blocked(blocked));
            return inState(JobState.BLOCKED, "blocked: " + VisibleText.cut(reason, LONGEST), "see the blocked jobs");
        }
        Pause own = job.isBeyondPause() ? null : job.requests().pause();
        if (own != null && own.isInForce(now)) {
            return inState(
                    JobState.PAUSED,
                    "paused by " + own.author() + ": " + VisibleText.cut(own.reason(), LONGEST),
                    "see the paused jobs");
        }
        StandingPause standing = Chip.heldBy(job, cluster.pauses(), now);
        if (standing != null) {
            return paused(standing);
        }
        if (canceled != null) {
            Why unserved = unserved(job, cluster);
            return unserved == null ? canceled(canceled) : unserved;
        }
        Instant due = job.due();
        Instant start = job.plan().startTime();
        boolean put = start != null && (due == null || due.isAfter(start));
        if (put && own != null && own.isPlanned(now) && own.isInForce(start)) {
            String by = "its next start falls into a pause that is planned by " + own.author() + ": ";
            return new Why(by + VisibleText.cut(own.reason(), LONGEST), null, null);
        }
        if (due == null) {
            return NO_DUE_TIME;
        }
        return due.isAfter(now) ? later(job, cluster) : due(job, cluster);
    }

    /** What holds back every job of a type; absent if nothing does. */
    static @Nullable Why ofType(String type, Cluster cluster) {
        StandingPause standing = cluster.pauses().stream()
                .filter(pause -> pause.isInForce(cluster.now()))
                .filter(pause -> pause.scope() instanceof PauseScope.Everything
                        || pause.scope() instanceof PauseScope.CommandType of
                                && of.type().equals(type))
                .findFirst()
                .orElse(null);
        return standing == null ? withoutNode(type, cluster) : paused(standing);
    }

    private static @Nullable Why withoutNode(String type, Cluster cluster) {
        if (cluster.live().isEmpty()) {
            return new Why("no node is live", "/nodes", "see the nodes");
        }
        return cluster.live().stream().anyMatch(node -> node.types().contains(type))
                ? null
                : new Why("no live node has the type " + type, "/nodes", "see the types of the nodes");
    }

    private static Why inState(JobState state, String text, String action) {
        return new Why(text, "/jobs?state=" + state, action);
    }

    private static Why finished(JobExecutionStatus last) {
        String error =
                last.error() == null ? "" : " with " + simple(last.error().type());
        return new Why(Chip.words(last.outcome()) + error, null, null);
    }

    private static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    private static Why held(StoredJob job, Cluster cluster) {
        if (!job.isHeldAt(cluster.now())) {
            if (job.due() == null) {
                return NO_DUE_TIME;
            }
            StandingPause standing = Chip.heldBy(job, cluster.pauses(), cluster.now());
            Why unserved = standing == null ? unserved(job, cluster) : paused(standing);
            if (unserved == null && job.phase() == Phase.FOLLOW) {
                return FOLLOWS;
            }
            return unserved != null
                    ? unserved
                    : inState(
                            JobState.RECOVERING,
                            "its node has ended without a result; another one claims it",
                            "see all of these");
        }
        String canceled = job.cancelWords(cluster.now());
        return canceled == null ? new Why("in progress", null, null) : canceled(canceled);
    }

    private static Why canceled(String words) {
        return new Why("is cancelled: " + words, null, null);
    }

    private static Why paused(StandingPause pause) {
        return new Why(
                "paused with " + pause.scope() + " by " + pause.pause().author() + ": "
                        + VisibleText.cut(pause.pause().reason(), LONGEST),
                "/pauses",
                "see the pauses");
    }

    /** What keeps it from running that is not known by the clock alone. */
    private static @Nullable Why unserved(StoredJob job, Cluster cluster) {
        String type = job.command().type();
        int priority = job.specification().priority();
        Why without = withoutNode(type, cluster);
        if (without != null) {
            return without;
        }
        List<NodeReport> taking = cluster.live().stream()
                .filter(node -> node.takes(type, priority))
                .toList();
        if (taking.isEmpty()) {
            return new Why(
                    "no live node takes priority " + priority + " of the type " + type,
                    "/nodes",
                    "see the priorities of the nodes");
        }
        if (taking.stream().anyMatch(node -> node.claims(cluster.now(), cluster.pauses()))) {
            return null;
        }
        return taking.stream()
                .filter(node -> node.standby(cluster.now(), cluster.pauses()).isEmpty())
                .findFirst()
                .map(node -> new Why(
                        "no node with the type " + type + " claims anything; " + node.label() + ": "
                                + VisibleText.cut(node.claimsNothing(), LONGEST),
                        "/nodes",
                        "see the nodes"))
                .orElseGet(() ->
                        new Why("all nodes with the type " + type + " are on standby", "/pauses", "see the pauses"));
    }

    private static Why due(StoredJob job, Cluster cluster) {
        Why unserved = unserved(job, cluster);
        if (unserved != null) {
            return unserved;
        }
        String group = job.specification().exclusiveGroup().orElse(null);
        Optional<Boolean> held =
                group == null ? Optional.of(false) : cluster.held().apply(group);
        if (group != null && held.orElse(true)) {
            return new Why(
                    (held.isPresent() ? "waits for its group " : "may wait for its group ") + group,
                    "/jobs?group=" + Frame.encoded(group),
                    "see what runs in it");
        }
        if (job.phase() == Phase.FOLLOW) {
            return FOLLOWS;
        }
        String declared = job.specification().calendars().stream()
                .filter(name -> !cluster.isStored().test(name))
                .findFirst()
                .orElse(null);
        if (declared != null) {
            return new Why(
                    "is due; calendar " + declared
                            + " is not stored, so that only a service that declares it can plan the job",
                    "/calendars",
                    "see the calendars");
        }
        if (job.isUnplanned()) {
            return new Why(
                    "its next fire is to be planned by a node that knows its calendars",
                    "/calendars",
                    "see the calendars");
        }
        return job.isAbandoned()
                ? new Why("a claim of it has ended without a result; the next one recovers it", null, null)
                : new Why("is due; the nodes have not claimed it yet", "/nodes", "see the slots of the nodes");
    }

    private static Why later(StoredJob job, Cluster cluster) {
        JobExecutionStatus last = job.lastStatus();
        String error =
                last.error() == null ? "" : " with " + simple(last.error().type());
        switch (job.phase()) {
            case FAILURE:
                return new Why("has failed" + error + "; its failure command is to be delivered", null, null);
            case FOLLOW:
                return new Why("its follow-ups are to be stored", null, null);
            default:
                break;
        }
        boolean postponed = job.isPostponed();
        if (postponed || job.plan().attempts() > 0) {
            String next = new Clock(ZoneOffset.UTC, cluster.now()).distance(Objects.requireNonNull(job.due()));
            String text = postponed
                    ? "was postponed by its helper; it goes on " + next
                    : "attempt " + job.plan().attempts() + " has failed" + error + "; the next one follows " + next;
            return new Why(text, null, null);
        }
        Why unserved = unserved(job, cluster);
        return unserved == null ? NOTHING : unserved;
    }

    /** Whether there is something to mend. */
    boolean isTrouble() {
        return remedy != null;
    }

    /** Reasons with something to mend, the most frequent first. */
    static List<Group> groups(Map<Why, Long> counted, long atLeast) {
        return counted.entrySet().stream()
                .filter(why -> why.getKey().isTrouble() && why.getValue() >= atLeast)
                .map(why -> new Group(why.getValue(), why.getKey()))
                .sorted(Comparator.comparingLong(Group::jobs).reversed())
                .toList();
    }

    /** How many rows have each reason. */
    static Map<Why, Long> counted(Stream<Why> all) {
        Map<Why, Long> counted = new LinkedHashMap<>();
        all.forEach(why -> counted.merge(why, 1L, Long::sum));
        return counted;
    }
}
