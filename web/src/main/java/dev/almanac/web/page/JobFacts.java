package dev.almanac.web.page;

import dev.almanac.model.History;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.ProcessingContext;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import dev.almanac.web.page.JobPage.Fact;
import dev.almanac.web.page.JobPage.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of a job, one by one. */
final class JobFacts {
    /** Fields that are shown elsewhere on the page, have their own labels, or are omitted in some cases. */
    private static final Set<String> LABELLED = Set.of(
            "triggerIdentifier",
            "failureIdentifier",
            "jobSpecificationKey",
            "jobRequestor",
            "schedulingSpecification",
            "cronDialect",
            "singleSchedule",
            "triggerCommand",
            "failureCommand",
            "calendars",
            "ignoreDefaultCalendar",
            "calendarPolicy",
            "zoneId",
            "daylightSavingPolicy",
            "lateExecutionThreshold",
            "missedFirePolicy",
            "retryPolicy",
            "crashPolicy",
            "executionTimeout",
            "priority",
            "exclusiveGroup",
            "startAt",
            "endAt",
            "maxFires",
            "history",
            "retention",
            "tags",
            "applicationTag",
            "processingContext",
            "onSuccess",
            "onFailure");

    private final List<Fact> facts = new ArrayList<>();

    private JobFacts() {}

    /** @param payloads whether this viewer may see what commands and runs carry */
    static List<Fact> of(StoredJob job, boolean payloads, List<NodeReport> nodes) {
        JobFacts facts = new JobFacts();
        JobSpecification specification = job.specification();
        facts.identity(specification);
        facts.schedule(specification);
        facts.rules(specification);
        facts.rest(specification);
        facts.state(job, nodes);
        facts.left(job, payloads);
        return List.copyOf(facts.facts);
    }

    static List<Moment> moments(StoredJob job) {
        JobSpecification specification = job.specification();
        List<Moment> moments = new ArrayList<>();
        add(moments, "Next fire", job.isLive() ? job.plan().nextFireTime() : null);
        add(moments, "Before a calendar moved it", job.plan().nominalFireTime());
        add(moments, "Retry at", job.plan().retryTime());
        add(moments, "May be claimed from", job.due());
        add(moments, "Single schedule", specification.singleSchedule());
        add(moments, "Not before", specification.startAt());
        add(moments, "Not after", specification.endAt());
        add(moments, "Last good fire", job.plan().previousGoodRun());
        add(moments, "Lease until", job.lease() == null ? null : job.lease().until());
        add(moments, "Last change", specification.latestUpdate());
        add(moments, "Removed after", specification.deleteTime());
        return moments;
    }

    private static void add(List<Moment> moments, String name, @Nullable Instant at) {
        if (at != null) {
            moments.add(new Moment(name, at));
        }
    }

    private void identity(JobSpecification job) {
        add("Requestor", job.jobRequestor());
        add("Application", job.applicationTag());
        add(
                "Tags",
                job.tags().isEmpty()
                        ? null
                        : String.join(", ", job.tags().stream().sorted().toList()));
        ProcessingContext context = job.processingContext();
        if (context != null) {
            add("Processing entity", context.processingEntity());
            add("Client request", context.clientRequestId());
            add("Unit of work", context.unitOfWorkId());
        }
    }

    private void schedule(JobSpecification job) {
        add("Schedule", job.isRecurring() ? job.schedulingSpecification() + " (" + job.cronDialect() + ")" : "once");
        add("Zone", job.zoneId());
        add("Clock changes", job.isRecurring() ? job.daylightSavingPolicy() : null);
        add("Calendars", job.calendars().isEmpty() ? null : String.join(", ", job.calendars()));
        add("Excluded fires", job.calendars().isEmpty() ? null : job.calendarPolicy());
        add("Default calendar", job.ignoreDefaultCalendar() ? "ignored" : null);
        add("Fires at most", job.maxFires());
    }

    private void rules(JobSpecification job) {
        add("Late after", job.lateExecutionThreshold());
        add("Missed fires", job.isRecurring() ? job.missedFirePolicy() : null);
        add("Retries", job.retryPolicy());
        add("After a crash", job.crashPolicy());
        add("Time-out", job.executionTimeout());
        add("Priority", job.priority());
        add("Exclusive group", job.exclusiveGroup());
        add("History", job.history() == History.ALL ? null : job.history());
        add("Retention", job.retention());
    }

    /** Fields without a label of their own. */
    private void rest(JobSpecification job) {
        job.fields().forEach((name, value) -> {
            boolean nothing = Boolean.FALSE.equals(value) || List.of().equals(value);
            if (!LABELLED.contains(name) && !nothing) {
                String words = name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
                add(words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1), value);
            }
        });
    }

    private void state(StoredJob job, List<NodeReport> nodes) {
        Pause pause = job.requests().pause();
        add("Paused by", pause == null ? null : pause.author() + ": " + pause.reason());
        add("Blocked", job.blocked());
        add("Progress", job.progress() == null ? null : job.progress().text());
        add(
                "Leased by",
                job.lease() == null ? null : NodeLine.label(nodes, job.lease().owner()));
        add("Cancel requested", job.requests().cancelRequested() ? "yes" : null);
        add(
                "Attempts of this fire",
                job.plan().attempts() == 0 ? null : job.plan().attempts());
        add("Fires ended", job.plan().firesEnded());
        add("Claims", job.sequences().claimSeq());
        add("Version", job.specification().version());
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
