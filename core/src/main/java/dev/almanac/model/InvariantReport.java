package dev.almanac.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a check of the stored state (rule O3).
 *
 * @param findings the violations; of one kind at most 100, then one more with the number of the others
 * @param reminders states that are no violations but are easily forgotten: pauses of kinds of jobs that are in force,
 *     pinned fields, and nodes of the last hour that have ended without a drain
 * @param jobs how many live jobs were examined
 * @param notChecked what was not checked, and why, such as jobs beyond a bound; empty if everything was
 */
public record InvariantReport(List<Finding> findings, List<Finding> reminders, int jobs, List<String> notChecked) {
    /** Copies the lists. */
    public InvariantReport {
        findings = List.copyOf(findings);
        reminders = List.copyOf(reminders);
        notChecked = List.copyOf(notChecked);
    }

    /** Findings and reminders. */
    public List<Finding> all() {
        return Stream.concat(findings.stream(), reminders.stream()).toList();
    }

    /** Whether nothing was found in what was checked. */
    public boolean isClean() {
        return findings.isEmpty();
    }
}
