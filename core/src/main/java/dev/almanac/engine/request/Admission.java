package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.FollowUps;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.model.Actor;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StoredFields;
import dev.almanac.text.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prepares specifications for {@link SpecificationCheck}: reads their calendars as they are now, and encodes their
 * commands, whose contents are checked here, before anything else looks at them. Thread-safe.
 */
public final class Admission {
    private static final Pattern TRACE_PARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    /** Follow-ups that are nested deeper are refused without a look at them. */
    private static final int DEEPEST = 6;

    private final Node node;
    private final SpecificationCheck.Defaults defaults;
    private final CommandRegistry registry;
    private final Consumer<Collection<JobSpecification>> learn;
    private final Supplier<Optional<String>> traces;

    /**
     * @param learn reads again the calendars of these jobs, if they can change
     * @param traces tells the span of the caller, on its thread
     */
    public Admission(
            Node node,
            SpecificationCheck.Defaults defaults,
            CommandRegistry registry,
            Consumer<Collection<JobSpecification>> learn,
            Supplier<Optional<String>> traces) {
        this.node = node;
        this.defaults = defaults;
        this.registry = registry;
        this.learn = learn;
        this.traces = traces;
    }

    /** Whether it is this service, and no person, who asks. */
    boolean isService(Actor actor) {
        return actor.author().equals(Objects.requireNonNullElse(defaults.requestor(), Actor.UNKNOWN));
    }

    /** The span of the caller, on whose thread this is asked (rule S9); absent if there is none. No request fails for want of it. */
    @Nullable
    String trace() {
        try {
            return traces.get().map(Admission::traceParent).orElse(null);
        } catch (RuntimeException | Error e) {
            node.events().failures().add("asking for the trace of a request", e);
            return null;
        }
    }

    private static String traceParent(String given) {
        if (!TRACE_PARENT.matcher(given).matches()) {
            throw new IllegalArgumentException(
                    "'" + Printable.value(given)
                            + "' is no traceparent of W3C Trace Context, such as 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        }
        return given;
    }

    /** Who asks for the job. */
    @Nullable
    String requestor(JobSpecification job) {
        return job.jobRequestor() == null ? defaults.requestor() : job.jobRequestor();
    }

    /**
     * A specification that is ready for its check.
     *
     * @param job on the calendars that it will have, with its commands encoded
     * @param problems that were found before the check
     */
    record Prepared(
            JobSpecification job,
            List<Problem> problems,
            SpecificationCheck check,
            Instant now,
            @Nullable JobSpecification stored) {
        /**
         * Calls the calendars of the job and of what follows it, and nothing else that may hang.
         *
         * @see SpecificationCheck#accept
         */
        SpecificationCheck.Accepted accepted() {
            return check.accept(job, problems, now, stored);
        }
    }

    /** @see SpecificationCheck#accept */
    SpecificationCheck.Accepted accept(JobSpecification given, Instant now, @Nullable JobSpecification stored) {
        return prepared(given, now, stored).accepted();
    }

    /** Reads calendars and encodes commands. */
    Prepared prepared(JobSpecification given, Instant now, @Nullable JobSpecification stored) {
        JobSpecification job = defaults.onCalendar(
                given.isNow() ? given.toBuilder().singleSchedule(now).build() : given, stored);
        List<JobSpecification> asked = whole(job, 0);
        if (stored != null) {
            // which of its fires have passed depends on the calendars that it has now
            asked.add(stored);
            // after the job was read: who deletes a calendar counts on the refusal of all who find a job after that
            // (rule C5)
            node.calendars().reread(asked, node.store().cluster(), node.clock());
        }
        learn.accept(asked);
        List<Problem> problems = new ArrayList<>();
        // after the reading, since the planner has the calendars of its moment
        SpecificationCheck check = new SpecificationCheck(node.planner(), node.settings(), defaults);
        return new Prepared(encoded("", job, problems, 0), problems, check, now, stored);
    }

    /**
     * The contents of one run, as they are stored.
     *
     * @throws InvalidJobException if they cannot be encoded, or are too large
     */
    EncodedCommand contents(String key, SchedulingCommand given) {
        List<Problem> problems = new ArrayList<>();
        EncodedCommand[] encoded = new EncodedCommand[1];
        encode("run now", given, command -> encoded[0] = (EncodedCommand) command, problems);
        SpecificationCheck.size("run now", encoded[0], problems);
        try {
            if (problems.isEmpty() && registry.knows(encoded[0])) {
                registry.decode(encoded[0]);
            }
        } catch (IllegalArgumentException e) {
            problems.add(new Problem("run now", encoded[0].type(), "S17", "cannot be read: " + e.getMessage()));
        }
        if (!problems.isEmpty()) {
            throw new InvalidJobException(key, problems);
        }
        return encoded[0];
    }

    /** The job and what follows it. */
    private List<JobSpecification> whole(JobSpecification job, int depth) {
        List<JobSpecification> all = new ArrayList<>(List.of(defaults.onCalendar(job, null)));
        if (depth < DEEPEST) {
            FollowUps.all(job).forEach(followUp -> all.addAll(whole(followUp, depth + 1)));
        }
        return all;
    }

    /** The calendars that a change has added to the job and that are deleted by now. */
    List<String> goneCalendars(JobSpecification job, @Nullable JobSpecification before) {
        List<String> names = new ArrayList<>(job.calendars());
        names.addAll(StoredFields.followUpCalendars(job));
        names.removeIf(node.calendars()::isDeclared);
        if (before != null) {
            names.removeAll(before.calendars());
            names.removeAll(StoredFields.followUpCalendars(before));
        }
        return node.calendars().gone(names, node.store().cluster(), node.clock());
    }

    /** Reads the calendars of a stored job as they are now. */
    void learn(JobSpecification job) {
        learn.accept(List.of(job));
    }

    private JobSpecification encoded(String path, JobSpecification given, List<Problem> problems, int depth) {
        JobSpecificationBuilder job = given.toBuilder();
        encode(path + "triggerCommand", given.triggerCommand(), job::triggerCommand, problems);
        encode(path + "failureCommand", given.failureCommand().orElse(null), job::failureCommand, problems);
        if (depth < DEEPEST) {
            job.onSuccess(encoded(path + "onSuccess", given.onSuccess(), problems, depth));
            job.onFailure(encoded(path + "onFailure", given.onFailure(), problems, depth));
        }
        JobSpecification plain = job.build();
        TypeDefaults type = plain.triggerCommand() instanceof EncodedCommand command
                ? registry.defaults(command.type())
                : TypeDefaults.NONE;
        return StoredFields.of(job)
                .orDefaults(type.priority(), type.retryPolicy())
                .build();
    }

    private List<JobSpecification> encoded(
            String path, List<JobSpecification> followUps, List<Problem> problems, int depth) {
        return IntStream.range(0, followUps.size())
                .mapToObj(i -> encoded(path + "[" + i + "].", followUps.get(i), problems, depth + 1))
                .toList();
    }

    private void encode(
            String field, @Nullable SchedulingCommand command, Consumer<SchedulingCommand> to, List<Problem> problems) {
        try {
            if (command != null) {
                to.accept(SpecificationCheck.plain(field, registry.encode(command), problems));
            }
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(field, null, "M2", String.valueOf(e.getMessage())));
        }
    }
}
