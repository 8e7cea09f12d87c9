package dev.almanac.model;

import java.util.List;

/**
 * The result of a check of the stored state (rule O3).
 *
 * @param findings the violations; of one kind at most 100, then one more with the number of the others
 * @param jobs how many live jobs were looked at
 * @param notChecked what was not checked, and why, such as jobs beyond a bound; empty if everything was
 */
public record InvariantReport(List<Finding> findings, int jobs, List<String> notChecked) {
    /** Copies the lists. */
    public InvariantReport {
        findings = List.copyOf(findings);
        notChecked = List.copyOf(notChecked);
    }

    /** Whether nothing was found in what was checked. */
    public boolean isClean() {
        return findings.isEmpty();
    }
}
