package dev.almanac.behaviour;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Phase;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The schedules of recurring jobs that were in force, one after the other, for users who change them (rule S2). */
final class SimulationSchedules {
    /** Beginning, in seconds of the minute, and step of each: fires of different ones meet now and then. */
    private static final List<int[]> CRONS =
            List.of(new int[] {0, 15}, new int[] {5, 15}, new int[] {0, 10}, new int[] {7, 20}, new int[] {3, 30});

    private static final Pattern DRAWN = Pattern.compile("[0-9]+/[0-9]+ \\* \\* \\* \\* \\?");

    /**
     * A change of a schedule that is stored.
     *
     * @param version of the document with it
     * @param at from when the new one counts
     * @param before the former one
     */
    private record Change(long version, Instant at, String before) {}

    private final Map<String, List<Change>> changes = new HashMap<>();
    /** When jobs were scheduled, by document. */
    private final Map<String, Instant> created = new HashMap<>();

    /** Another schedule, or, once in a while, the same one in another writing. */
    static String draw(SplittableRandom random) {
        int[] cron = CRONS.get(random.nextInt(CRONS.size()));
        return (random.nextInt(4) == 0 ? "0" : "") + cron[0] + "/" + cron[1] + " * * * * ?";
    }

    /** Some run no fire that is out of date. */
    static void addPolicy(JobSpecificationBuilder job, SplittableRandom random) {
        int policy = random.nextInt(5);
        if (policy == 0) {
            job.missedFirePolicy(MissedFirePolicy.SKIP);
        } else if (policy == 1) {
            job.startDeadline(Duration.ofSeconds(5L + random.nextInt(30)));
        }
    }

    /** A job that the server has stored. */
    void stored(StoredJob job) {
        created.putIfAbsent(job.id(), job.lastStatus().updatedTime());
    }

    /** A change that the server has applied. */
    void applied(JobChange change) {
        JobSpecification former = change.before().specification();
        if (!former.isRecurring() && change.after().specification().isRecurring()) {
            // as if it was scheduled now; its one moment is judged by its account
            created.put(
                    change.after().id(),
                    change.after().specification().latestUpdate().orElseThrow());
            changes.remove(change.after().id());
        }
        if (isOfSchedule(change)) {
            JobSpecification after = change.after().specification();
            changes.computeIfAbsent(change.after().id(), any -> new ArrayList<>())
                    .add(new Change(
                            after.version(),
                            after.latestUpdate().orElseThrow(),
                            change.before()
                                    .specification()
                                    .schedulingSpecification()
                                    .orElseThrow()));
        }
    }

    private static boolean isOfSchedule(JobChange change) {
        JobSpecification before = change.before().specification();
        return change.by() == JobChange.By.REQUEST
                && change.after().specification().version() > before.version()
                && before.isRecurring()
                && !before.hasSameSchedule(change.after().specification());
    }

    private static @Nullable Instant carried(StoredJob job) {
        ScheduleChange noted = job.requests().scheduleChanged();
        if (noted != null) {
            return noted.carried();
        }
        return job.plan().carried() == null ? null : job.plan().nextFireTime();
    }

    private static boolean isInProgress(StoredJob job) {
        return job.lease() != null
                || job.phase() != Phase.RUN
                || job.sequences().isUnrecovered()
                || job.plan().isBegun()
                || job.plan().rerun();
    }

    /** No majority has what came after this document: an election has taken it back. */
    void takenBack(StoredJob to) {
        changes.getOrDefault(to.id(), new ArrayList<>())
                .removeIf(change -> change.version() > to.specification().version());
    }

    /**
     * Every planned fire of every schedule of the job, as long as that was in force, that must have an account. None of
     * what is not drawn here: the second judge of fires is the only one then.
     */
    List<Instant> fires(StoredJob job) {
        Stream<String> former =
                changes.getOrDefault(job.id(), List.of()).stream().map(Change::before);
        Stream<String> present = job.specification().schedulingSpecification().stream();
        boolean drawn = Stream.concat(former, present)
                .allMatch(cron -> DRAWN.matcher(cron).matches());
        if (!drawn || job.specification().maxFires().isPresent()) {
            return List.of();
        }
        List<Instant> fires = new ArrayList<>();
        Instant from = created.getOrDefault(job.id(), Simulation.START);
        for (Change change : changes.getOrDefault(job.id(), List.of())) {
            add(change.before(), from, change.at(), fires);
            from = change.at();
        }
        Instant end = Simulation.START.plusSeconds(Simulation.LAST_FIRE);
        add(job.specification().schedulingSpecification().orElseThrow(), from, end, fires);
        return fires;
    }

    /** The fires after a moment until another one, that included. */
    private static void add(String cron, Instant after, Instant until, List<Instant> fires) {
        String[] text = cron.split(" ")[0].split("/");
        int first = Integer.parseInt(text[0]);
        int step = Integer.parseInt(text[1]);
        IntStream.rangeClosed(0, Simulation.LAST_FIRE)
                .filter(second -> second % 60 >= first && (second % 60 - first) % step == 0)
                .mapToObj(Simulation.START::plusSeconds)
                .filter(fire -> fire.isAfter(after) && !fire.isAfter(until))
                .forEach(fires::add);
    }

    /** A change that forgets the fires of the former schedule which have passed: none is carried or on record. */
    static JobChange withoutFormerFires(JobChange change) {
        if (!isOfSchedule(change)) {
            return change;
        }
        StoredJob after = change.after();
        ScheduleChange noted = after.requests().scheduleChanged();
        FirePlan plan = after.plan();
        List<JobExecutionStatus> rows =
                change.rows().stream().filter(row -> row.missed() == null).toList();
        Instant next = plan.carried() == null || noted != null
                ? null
                : new FirePlanner(new FirePlanner.Calendars(Map.of()))
                        .next(after.specification(), plan.carried())
                        .map(PlannedFire::fireTime)
                        .orElse(null);
        StoredJob forgetful = after.with(edit -> {
            if (noted != null) {
                edit.requests(after.requests()
                        .withScheduleChanged(new ScheduleChange(noted.at(), noted.since(), null, noted.moves())));
            }
            if (next != null) {
                edit.plan(plan.moveTo(next, null, null)).due(after.due() == null ? null : next);
            }
        });
        return new JobChange(change.before(), forgetful, rows, change.limit(), change.by(), change.removes());
    }

    /** A node that claims jobs without their start deadlines, and stores them with these again. */
    static JobStore withoutDeadlines(JobStore store) {
        Map<String, Duration> deadlines = new HashMap<>();
        return StoreHook.over(store, (method, arguments, call) -> switch (method) {
            case "claim" -> {
                ClaimResult claimed = (ClaimResult) call.proceed();
                claimed.jobs()
                        .forEach(job -> job.specification()
                                .startDeadline()
                                .ifPresent(deadline -> deadlines.put(job.id(), deadline)));
                yield new ClaimResult(
                        claimed.jobs().stream()
                                .map(job -> withDeadline(job, null))
                                .toList(),
                        claimed.blocked(),
                        claimed.leftToOthers(),
                        claimed.groupBusy());
            }
            case "write" ->
                store.write(((List<?>) arguments[0])
                        .stream()
                                .map(JobChange.class::cast)
                                .map(change -> change.isByHolder()
                                                && deadlines.containsKey(
                                                        change.after().id())
                                        ? withDeadline(
                                                change,
                                                deadlines.get(change.after().id()))
                                        : change)
                                .toList());
            default -> call.proceed();
        });
    }

    private static JobChange withDeadline(JobChange change, Duration deadline) {
        StoredJob after = withDeadline(change.after(), deadline);
        return new JobChange(change.before(), after, change.rows(), change.limit(), change.by(), change.removes());
    }

    private static StoredJob withDeadline(StoredJob job, @Nullable Duration deadline) {
        return job.with(edit -> edit.specification(
                job.specification().toBuilder().startDeadline(deadline).build()));
    }
}
