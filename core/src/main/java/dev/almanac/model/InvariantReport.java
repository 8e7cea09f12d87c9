package dev.almanac.model;

import java.util.List;

/**
 * What a check of the stored state has found (rule O3).
 *
 * @param findings what is not as it must be; of one kind at most 100, then one more says how many further there are
 * @param jobs how many live jobs were looked at
 * @param notChecked what was not looked at, and why, such as jobs beyond a bound; empty if everything was
 */
public record InvariantReport(List<Finding> findings, int jobs, List<String> notChecked) {
    /** Copies the lists. */
    public InvariantReport {
        findings = List.copyOf(findings);
        notChecked = List.copyOf(notChecked);
    }

    /** Whether nothing was found; says nothing about what was not looked at. */
    public boolean isClean() {
        return findings.isEmpty();
    }
}
