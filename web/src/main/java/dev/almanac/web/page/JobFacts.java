package dev.almanac.web.page;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.StoredJob;
import dev.almanac.web.page.JobPage.Fact;
import dev.almanac.web.page.JobPage.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of a job, one by one. */
final class JobFacts {
    /** Fields that have a place of their own on the page; identifiers are shown with their commands, and hidden with them. */
    private static final Set<String> ELSEWHERE =
            Set.of("jobSpecificationKey", "triggerIdentifier", "failureIdentifier", "onSuccess", "onFailure");

    private final List<Fact> facts = new ArrayList<>();

    private JobFacts() {}

    /**
     * @param payloads whether this viewer may see what commands and runs carry
     * @param errors whether this viewer may see messages of exceptions
     */
    static List<Fact> of(StoredJob job, boolean payloads, boolean errors, NodeNames nodes, Instant now) {
        JobFacts facts = new JobFacts();
        JobSpecification specification = job.specification();
        facts.fields(specification);
        facts.state(job, errors, nodes, now);
        facts.left(job, payloads);
        return List.copyOf(facts.facts);
    }

    static List<Moment> moments(StoredJob job, Instant now) {
        JobSpecification specification = job.specification();
        List<Moment> moments = new ArrayList<>();
        add(moments, "Next fire", job.isPlannedAt(now) ? job.plan().nextFireTime() : null);
        add(moments, "Before a calendar moved it", job.plan().nominalFireTime());
        add(moments, "Retry at", job.plan().retryTime());
        add(moments, "May be claimed from", job.due());
        specification.shownFields().forEach((field, value) -> {
            if (value instanceof Instant at) {
                add(moments, capital(field.label()), at);
            }
        });
        Pause pause = job.requests().pause();
        add(moments, "Pause begins", pause == null ? null : pause.from());
        add(moments, "Pause ends", pause == null ? null : pause.until());
        add(moments, "Last good fire", job.plan().previousGoodRun());
        add(moments, "Lease until", job.lease() == null ? null : job.lease().until());
        add(moments, "Last change", specification.latestUpdate().orElse(null));
        add(moments, "Removed after", specification.deleteTime().orElse(null));
        return moments;
    }

    private static void add(List<Moment> moments, String name, @Nullable Instant at) {
        if (at != null) {
            moments.add(new Moment(name, at));
        }
    }

    /** Without moments, commands and follow-ups, which have places of their own. */
    private void fields(JobSpecification job) {
        job.shownFields().forEach((field, value) -> {
            boolean elsewhere = value instanceof Instant || value instanceof SchedulingCommand;
            if (!elsewhere && !ELSEWHERE.contains(field.name())) {
                add(capital(field.label()), text(value));
            }
        });
    }

    private static String text(Object value) {
        Stream<?> items = value instanceof Set<?> words
                ? words.stream().sorted()
                : value instanceof List<?> list ? list.stream() : Stream.of(value);
        return items.map(Object::toString).collect(Collectors.joining(", "));
    }

    private static String capital(String label) {
        return label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1);
    }

    private void state(StoredJob job, boolean errors, NodeNames nodes, Instant now) {
        Pause pause = job.requests().pause();
        boolean planned = pause != null && pause.isPlanned(now);
        add(
                planned ? "To be paused by" : "Paused by",
                pause == null || pause.hasEnded(now) ? null : pause.author() + ": " + pause.reason());
        PersonalChange.pins(job.requests().personal(), now).forEach(pin -> add("Pinned", pin));
        add("Blocked", errors ? job.blockedReason() : HiddenErrors.blocked(job.blockedReason()));
        add("Progress", job.progress() == null ? null : job.progress().text());
        add("Leased by", job.lease() == null ? null : nodes.of(job.lease().owner()));
        add("Cancel requested", job.requests().cancelRequested() ? "yes" : null);
        add(
                "Attempts of this fire",
                job.plan().attempts() == 0 ? null : job.plan().attempts());
        add("Fires ended", job.plan().firesEnded());
        add("Claims", job.sequences().claimSeq());
        add("Version", job.specification().version());
        add("Trace", job.specification().traceId().orElse(null));
        add("Document", job.id());
    }

    private void left(StoredJob job, boolean payloads) {
        add("State for the next run", job.state().isEmpty() || !payloads ? null : job.state());
    }

    private void add(String name, @Nullable Object value) {
        if (value != null) {
            facts.add(new Fact(name, String.valueOf(value)));
        }
    }
}
