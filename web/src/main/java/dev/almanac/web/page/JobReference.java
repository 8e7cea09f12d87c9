package dev.almanac.web.page;

import dev.almanac.model.JobAction.SeenFailures;
import dev.almanac.store.StoredJob;
import dev.almanac.web.guard.Refusal;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a job in a form: the document, and what the viewer has seen of it. A key would name the job that has it
 * when the form arrives.
 *
 * @param version of the contents
 * @param failures that were open
 * @param at until when its rows were seen, in milliseconds
 */
record JobReference(String id, long version, int failures, long at) {
    private static final Pattern TEXT =
            Pattern.compile("(\\d{1,18})\\.(\\d{1,9})\\.(\\d{1,18})\\.(.{1,200})", Pattern.DOTALL);

    static JobReference of(StoredJob job) {
        return new JobReference(
                job.id(),
                job.specification().version(),
                job.plan().failuresInARow(),
                job.lastStatus().updatedTime().toEpochMilli());
    }

    /** @throws Refusal if it is not the text of a reference */
    static JobReference read(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw Refusal.badRequest("The form does not name its jobs as this console does; load the page again.");
        }
        return new JobReference(
                parts.group(4),
                Long.parseLong(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                Long.parseLong(parts.group(3)));
    }

    /** The same job, of whose failures the viewer has seen those until a moment. */
    JobReference seenUntil(Instant moment) {
        return new JobReference(id, version, failures, moment.toEpochMilli());
    }

    /** What the viewer has seen of its failures. */
    SeenFailures seen() {
        return new SeenFailures(failures, Instant.ofEpochMilli(at));
    }

    @Override
    public String toString() {
        return version + "." + failures + "." + at + "." + id;
    }
}
