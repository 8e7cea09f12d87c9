package dev.almanac.web.page;

import dev.almanac.model.JobAction.SeenFailures;
import dev.almanac.model.Pause;
import dev.almanac.store.StoredJob;
import dev.almanac.web.guard.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a job in a form: the document, and what the viewer has seen of it. A key would name the job that has it
 * when the form arrives.
 *
 * @param version of the contents
 * @param failures that were open
 * @param at until when its rows were seen, in milliseconds
 * @param pause its own pause in a few characters, which another one changes; empty if there was none
 */
record JobReference(String id, long version, int failures, long at, String pause) {
    private static final Pattern TEXT =
            Pattern.compile("(\\d{1,18})\\.(\\d{1,9})\\.(\\d{1,18})\\.([0-9a-f-]{0,36})\\.(.{1,200})", Pattern.DOTALL);

    static JobReference of(StoredJob job) {
        return new JobReference(
                job.id(),
                job.specification().version(),
                job.plan().failuresInARow(),
                job.lastStatus().updatedTime().toEpochMilli(),
                digest(job.requests().pause()));
    }

    private static String digest(@Nullable Pause pause) {
        return pause == null
                ? ""
                : UUID.nameUUIDFromBytes(pause.toString().getBytes(StandardCharsets.UTF_8))
                        .toString();
    }

    /** @throws Refusal if it is not the text of a reference */
    static JobReference read(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw Refusal.badRequest("The form does not name its jobs as this console does; load the page again.");
        }
        return new JobReference(
                parts.group(5),
                Long.parseLong(parts.group(1)),
                Integer.parseInt(parts.group(2)),
                Long.parseLong(parts.group(3)),
                parts.group(4));
    }

    /** The same job, of whose failures the viewer has seen those until a moment. */
    JobReference seenUntil(Instant moment) {
        return new JobReference(id, version, failures, moment.toEpochMilli(), pause);
    }

    /** Whether the viewer has seen this pause of the job. */
    boolean hasSeen(Pause present) {
        return pause.equals(digest(present));
    }

    /** What the viewer has seen of its failures. */
    SeenFailures seen() {
        return new SeenFailures(failures, Instant.ofEpochMilli(at));
    }

    @Override
    public String toString() {
        return version + "." + failures + "." + at + "." + pause + "." + id;
    }
}
