package dev.almanac.examples.demo;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plan of the day: the jobs, and the fires that they must have. */
final class DemoPlan {
    static final int RELEASES = 300;
    static final int SETTLEMENTS = 12;
    static final List<String> CUTOFFS = List.of("sepa", "target2", "instant");
    private static final int CUTOFF_FIRES = 5;

    private final Instant dawn;
    private final List<JobSpecification> jobs = new ArrayList<>();
    /** How many fires each job must have. */
    private final Map<String, Integer> fires = new LinkedHashMap<>();

    /** @param dawn when the day begins, in whole seconds */
    DemoPlan(Instant dawn) {
        this.dawn = dawn;
        for (int i = 0; i < RELEASES; i++) {
            Instant at = dawn.plusMillis(1_000 + i * 37L);
            once(release(String.format("release-%03d", i), 10 + i, 0).singleSchedule(at));
        }
        for (int i = 0; i < SETTLEMENTS; i++) {
            once(payment("settlement-" + i, "settle", 5_000, 3_000).singleSchedule(dawn.plusMillis(4_000)));
        }
        for (String desk : CUTOFFS) {
            Instant last = dawn.plusSeconds(2L * CUTOFF_FIRES).plusMillis(500);
            add(
                    payment("cutoff-" + desk, "cutoff", 0, 0)
                            .schedulingSpecification("0/2 * * * * ?")
                            .zoneId("Europe/Brussels")
                            .missedFirePolicy(MissedFirePolicy.RUN_ALL)
                            .startAt(dawn.plusMillis(500))
                            .endAt(last),
                    CUTOFF_FIRES);
        }
        once(release("refused", 666, 0)
                .triggerCommand(new Payment("refuse", BigDecimal.TEN, 0))
                .retryPolicy("R2/PT1S")
                .singleSchedule(dawn.plusMillis(1_500)));
        once(release("mended", 77, 0)
                .triggerCommand(new Payment("mend", BigDecimal.TEN, 0))
                .retryPolicy("R3/PT2S")
                .singleSchedule(dawn.plusMillis(2_250)));
        once(release("overdue", 5, 0)
                .lateExecutionThreshold(Duration.ofMillis(200))
                .singleSchedule(dawn.minusSeconds(5)));
        once(release("redated", 9, 0).singleSchedule(dawn.plusSeconds(600)));
        add(release("withdrawn", 8, 0).singleSchedule(dawn.plusSeconds(5)), 0);
    }

    private static JobSpecificationBuilder release(String key, int euro, long millis) {
        return payment(key, "release", euro, millis);
    }

    private static JobSpecificationBuilder payment(String key, String kind, int euro, long millis) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("payments")
                .applicationTag("demo")
                .triggerCommand(new Payment(kind, BigDecimal.valueOf(euro), millis))
                .triggerIdentifier(key);
    }

    private void once(JobSpecificationBuilder job) {
        add(job, 1);
    }

    private void add(JobSpecificationBuilder job, int count) {
        JobSpecification built = job.build();
        jobs.add(built);
        fires.put(built.jobSpecificationKey(), count);
    }

    List<JobSpecification> jobs() {
        return jobs;
    }

    /** The payment that is moved to another moment after it was scheduled. */
    JobSpecification redated() {
        return jobs.stream()
                .filter(job -> job.jobSpecificationKey().equals("redated"))
                .findFirst()
                .orElseThrow()
                .toBuilder()
                .singleSchedule(dawn.plusMillis(6_400))
                .build();
    }

    Map<String, Integer> fires() {
        return fires;
    }

    int planned() {
        return fires.values().stream().mapToInt(Integer::intValue).sum();
    }
}
