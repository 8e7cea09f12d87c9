package dev.almanac.web.page;

import dev.almanac.model.FieldChange;
import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The differences between versions of a job, from the rows that are still stored. */
final class Versions {
    static final Columns<FieldChange> FIELDS = new Columns<FieldChange>()
            .by("versions.field", FieldChange::field)
            .by("versions.before", FieldChange::before)
            .by("versions.after", FieldChange::after);
    private static final Set<String> IDENTIFIERS = Set.of("triggerIdentifier", "failureIdentifier");

    private Versions() {}

    /**
     * What made one version of the one before.
     *
     * @param fields that it replaced
     */
    record Change(Instant at, String author, @Nullable String reason, List<FieldChange> fields) {
        /** In one line. */
        String text() {
            return "by " + author + (reason == null ? "" : " (" + reason + ")") + ": "
                    + fields.stream().map(FieldChange::toString).collect(Collectors.joining(", "));
        }
    }

    /** @param rows newest first */
    static List<Change> of(List<JobExecutionStatus> rows) {
        return rows.stream()
                .filter(row -> !row.changes().isEmpty())
                .map(row -> new Change(
                        row.updatedTime(), Objects.requireNonNullElse(row.author(), "?"), row.reason(), row.changes()))
                .toList();
    }

    /** The row for a viewer who may not see commands, nor the identifiers of commands. */
    static JobExecutionStatus withoutPayloads(JobExecutionStatus row) {
        if (row.changes().isEmpty()) {
            return row;
        }
        return row.toBuilder()
                .changes(row.changes().stream()
                        .map(change ->
                                IDENTIFIERS.contains(change.field()) ? FieldChange.hidden(change.field()) : change)
                        .toList())
                .build();
    }
}
