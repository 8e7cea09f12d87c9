package dev.almanac.engine.port;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.Lanes;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Calls calendars, which are code of the service and may never return (rule X1). For those who wait for the answer a
 * call has a thread of its own, and is waited for no longer than a lease. After that, jobs with the same calendars are
 * refused at once until the call returns, so that there is one hanging thread for each combination of calendars.
 * Thread-safe.
 */
public final class CalendarCalls {
    private final ServerClock clock;
    private final CalendarBook calendars;
    private final Duration patience;
    private final Lanes lanes;
    private final Executor threads;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();

    /** One call; compared by identity. */
    private static final class Call {
        private final String job;
        private final List<String> names;
        private final Set<ExclusionCalendar> calendars = Collections.newSetFromMap(new IdentityHashMap<>());
        private final long beginNanos;
        private volatile String thread = "";

        Call(JobSpecification job, FirePlanner planner, long beginNanos) {
            this.job = job.jobSpecificationKey();
            this.names = job.calendars();
            this.calendars.addAll(planner.known(job));
            this.beginNanos = beginNanos;
        }
    }

    /** @param patience how long a call may take: the length of a lease */
    public CalendarCalls(ServerClock clock, CalendarBook calendars, Duration patience, Lanes lanes) {
        this.clock = clock;
        this.calendars = calendars;
        this.patience = patience;
        this.lanes = lanes;
        this.threads = lanes.threads("calendars");
    }

    /**
     * The result of a decision that calls the calendars of the job and nothing else that may hang; throws what it throws.
     *
     * @throws IllegalStateException if the calendars have not returned for the length of a lease
     */
    public <T> T ask(JobSpecification job, Supplier<T> decision) {
        if (job.calendars().isEmpty()) {
            return decision.get();
        }
        Call call = begun(job);
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> answer(call, answer, decision));
        } catch (RuntimeException | Error e) {
            open.remove(call);
            throw e;
        }
        return awaited(call, answer);
    }

    /** As {@link #ask}, but on this thread, which no other waits for: it may hang. */
    public <T> T askHere(JobSpecification job, Supplier<T> decision) {
        if (job.calendars().isEmpty()) {
            return decision.get();
        }
        Call call = begun(job);
        call.thread = Thread.currentThread().getName();
        try {
            return decision.get();
        } finally {
            open.remove(call);
        }
    }

    private Call begun(JobSpecification job) {
        Call call = new Call(job, calendars.planner(), clock.nanos());
        if (open.stream().anyMatch(other -> isHanging(other) && call.calendars.containsAll(other.calendars))) {
            throw hanging(job.calendars());
        }
        open.add(call);
        return call;
    }

    private <T> void answer(Call call, CompletableFuture<T> answer, Supplier<T> decision) {
        call.thread = Thread.currentThread().getName();
        try {
            answer.complete(decision.get());
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        } finally {
            open.remove(call);
        }
    }

    private <T> T awaited(Call call, CompletableFuture<T> answer) {
        try {
            if (lanes.await(answer, patience)) {
                return answer.get();
            }
            throw hanging(call.names);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while calendars were asked", e);
        }
    }

    private static IllegalStateException hanging(List<String> calendars) {
        return new IllegalStateException("the calendars " + calendars + " do not return");
    }

    private Duration since(Call call) {
        return Duration.ofNanos(clock.nanos() - call.beginNanos);
    }

    private boolean isHanging(Call call) {
        return since(call).compareTo(patience) >= 0;
    }

    /** Those that have not returned for the length of a lease, the longest first. */
    public List<SlowCalendar> hanging() {
        return open.stream()
                .filter(this::isHanging)
                .map(call -> new SlowCalendar(call.job, call.names, since(call), call.thread))
                .sorted(Comparator.comparing(SlowCalendar::inCall).reversed())
                .toList();
    }
}
