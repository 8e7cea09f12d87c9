package dev.almanac.web.page;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.Finding;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireReport;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs and rows for viewers who may not see messages of exceptions: these may contain what commands contain. */
final class HiddenErrors {
    private static final String HIDDEN = "(message not shown)";
    /** What scheduler and helpers write in front of the message of an exception. */
    private static final List<String> HEADS = List.of(
            "cannot be read: ",
            "cannot be written here: ",
            "cannot be computed here: ",
            "cannot be planned: ",
            "cannot be planned here: ",
            "cannot be stored here: ",
            "its outcome is not known: ",
            "nothing was done for it: ",
            "was not stored: ",
            "was refused: ");

    private HiddenErrors() {}

    /** The row with the classes of its exceptions only, and without its log. */
    static JobExecutionStatus of(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        String detail = row.detail();
        return row.toBuilder()
                .error(error == null ? null : new ErrorSummary(error.type(), null, null))
                .log(List.of())
                .detail(detail == null ? null : isOfException(row) ? HIDDEN : text(detail, Stream.of(row)))
                .build();
    }

    /** A helper says by an exception that it skips or postpones a run. */
    private static boolean isOfException(JobExecutionStatus row) {
        return row.outcome() == Outcome.SKIPPED || row.outcome() == Outcome.POSTPONED;
    }

    /** The explanation without messages of the rows that it was made of. */
    static Explanation of(Explanation whole, List<JobExecutionStatus> rows) {
        List<Reason> reasons = whole.reasons().stream()
                .map(reason -> new Reason(
                        reason.kind(),
                        text(reason.text(), rows.stream()),
                        reason.since(),
                        reason.until(),
                        reason.who()))
                .toList();
        return new Explanation(
                whole.jobSpecificationKey(),
                whole.asOf(),
                whole.state(),
                text(whole.headline(), rows.stream()),
                whole.nextStart(),
                whole.nextFireTimes(),
                reasons);
    }

    /** The longest is left out first: a shorter message may be a part of it. */
    private static String text(String text, Stream<JobExecutionStatus> rows) {
        List<String> hidden = rows.flatMap(HiddenErrors::hidden)
                .filter(message -> !message.isBlank())
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
        String shown = text;
        for (String message : hidden) {
            shown = shown.replace(message, HIDDEN);
        }
        return cut(shown);
    }

    private static Stream<String> hidden(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        return Stream.concat(
                Stream.ofNullable(error == null ? null : error.message()),
                Stream.ofNullable(isOfException(row) ? row.detail() : null));
    }

    /** The findings without what follows in them from an exception. */
    static InvariantReport of(InvariantReport report) {
        return new InvariantReport(of(report.findings()), of(report.reminders()), report.jobs(), report.notChecked());
    }

    private static List<Finding> of(List<Finding> findings) {
        return findings.stream()
                .map(finding -> new Finding(finding.kind(), finding.subject(), cut(finding.text()), finding.advice()))
                .toList();
    }

    /** What became of planned fires, without what runs have said of how they failed. */
    static FireReport of(FireReport report) {
        return new FireReport(
                report.jobSpecificationKey(),
                report.from(),
                report.until(),
                report.accounts().stream().map(HiddenErrors::of).toList(),
                report.computed(),
                report.limit() == null ? null : cut(report.limit()));
    }

    private static FireAccount of(FireAccount account) {
        String detail = account.detail();
        boolean failed = account.outcome() != null && account.outcome() != Outcome.SUCCEEDED;
        return new FireAccount(
                account.fireTime(),
                account.last(),
                account.count(),
                account.kind(),
                account.nominalFireTime(),
                account.outcome(),
                account.at(),
                account.node(),
                account.by(),
                detail == null ? null : failed ? HIDDEN : cut(detail));
    }

    /** A reason why a job is blocked, without what follows in it from an exception. */
    static @Nullable String blocked(@Nullable String text) {
        return text == null ? null : cut(text);
    }

    private static String cut(String text) {
        for (String head : HEADS) {
            int at = text.indexOf(head);
            if (at >= 0) {
                return text.substring(0, at + head.length()) + HIDDEN;
            }
        }
        return text;
    }
}
