package dev.almanac.web.page;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.StoredJob;
import java.util.List;
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
                .detail(detail == null ? null : isOfException(row) ? HIDDEN : text(detail, row))
                .build();
    }

    /** A helper says by an exception that it skips or postpones a run. */
    private static boolean isOfException(JobExecutionStatus row) {
        return row.outcome() == Outcome.SKIPPED || row.outcome() == Outcome.POSTPONED;
    }

    /** The explanation without messages of the rows that it was made of. */
    static Explanation of(Explanation whole, StoredJob job, List<JobExecutionStatus> rows) {
        List<Reason> reasons = whole.reasons().stream()
                .map(reason -> new Reason(
                        reason.kind(), text(reason.text(), job, rows), reason.since(), reason.until(), reason.who()))
                .toList();
        return new Explanation(
                whole.jobSpecificationKey(),
                whole.asOf(),
                whole.state(),
                text(whole.headline(), job, rows),
                whole.nextStart(),
                whole.nextFireTimes(),
                reasons);
    }

    private static String text(String text, StoredJob job, List<JobExecutionStatus> rows) {
        String shown = text(text, job.lastStatus());
        for (JobExecutionStatus row : rows) {
            shown = text(shown, row);
        }
        return shown;
    }

    private static String text(String text, JobExecutionStatus row) {
        ErrorSummary error = row.error();
        String message = error == null ? null : error.message();
        String shown = cut(message == null || message.isBlank() ? text : text.replace(message, HIDDEN));
        String detail = row.detail();
        return detail == null || detail.isBlank() || !isOfException(row) ? shown : shown.replace(detail, HIDDEN);
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
