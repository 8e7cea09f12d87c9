package dev.almanac.store;

import dev.almanac.model.JobSpecification;
import dev.almanac.time.CronDialect;
import dev.almanac.time.RuleReader;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The features that a job uses and that not every node has, by names in its document: a node that does not support one of
 * them leaves the job alone (rule X6). A release that adds such a feature adds a name, which is never given another
 * meaning.
 */
public final class Needs {
    private static final String RRULE = "rrule";

    private Needs() {}

    /** The needs of a stored job, in order; empty for most jobs. A node that cannot read a follow-up cannot store it. */
    public static List<String> of(StoredJob job) {
        JobSpecification contents = job.specification();
        boolean rules = isRule(contents)
                || haveRule(contents.onSuccess())
                || haveRule(contents.onFailure())
                || haveRule(job.followUps());
        return rules ? List.of(RRULE) : List.of();
    }

    private static boolean haveRule(List<JobSpecification> followUps) {
        return !followUps.isEmpty() && followUps.stream().anyMatch(Needs::isRule);
    }

    private static boolean isRule(JobSpecification contents) {
        return contents.isRecurring() && contents.cronDialect() == CronDialect.RRULE;
    }

    /** The needs that this process supports; recurrence rules only with the module that reads them. */
    public static Set<String> known() {
        boolean rules = ServiceLoader.load(RuleReader.class, RuleReader.class.getClassLoader())
                .findFirst()
                .isPresent();
        return rules ? Set.of(RRULE) : Set.of();
    }
}
