package dev.almanac.web.page;

import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The differences between versions of a job, from the rows that are still stored. */
final class Versions {
    static final Columns<Field> FIELDS = new Columns<Field>()
            .by("versions.field", Field::name)
            .by("versions.before", Field::before)
            .by("versions.after", Field::after);
    private static final Pattern IDENTIFIER =
            Pattern.compile("^(triggerIdentifier|failureIdentifier): .*", Pattern.DOTALL);

    private Versions() {}

    /**
     * What made one version of the one before.
     *
     * @param fields that it replaced
     */
    record Change(Instant at, String author, @Nullable String reason, List<Field> fields) {
        /** In one line. */
        String text() {
            return "by " + author + (reason == null ? "" : " (" + reason + ")") + ": "
                    + fields.stream().map(Field::text).collect(Collectors.joining(", "));
        }
    }

    /** A field before and after. */
    record Field(String name, String before, String after) {
        String text() {
            return before.isEmpty() ? name + " " + after : name + ": " + before + " -> " + after;
        }
    }

    /** @param rows newest first */
    static List<Change> of(List<JobExecutionStatus> rows) {
        return rows.stream()
                .filter(row -> !row.changes().isEmpty())
                .map(row -> new Change(
                        row.updatedTime(),
                        Objects.requireNonNullElse(row.author(), "?"),
                        row.reason(),
                        row.changes().stream().map(Versions::field).toList()))
                .toList();
    }

    /** The row for a viewer who may not see commands, nor the identifiers of commands. */
    static JobExecutionStatus withoutPayloads(JobExecutionStatus row) {
        if (row.changes().isEmpty()) {
            return row;
        }
        return row.toBuilder()
                .changes(row.changes().stream()
                        .map(change -> IDENTIFIER.matcher(change).replaceFirst("$1: changed"))
                        .toList())
                .build();
    }

    /** As rows have them: {@code field: old -> new}, or {@code field: changed}. */
    static Field field(String change) {
        int colon = change.indexOf(": ");
        int arrow = change.indexOf(" -> ", Math.max(0, colon));
        if (colon < 0 || arrow < 0) {
            return new Field(colon < 0 ? change : change.substring(0, colon), "", "changed");
        }
        return new Field(change.substring(0, colon), change.substring(colon + 2, arrow), change.substring(arrow + 4));
    }
}
