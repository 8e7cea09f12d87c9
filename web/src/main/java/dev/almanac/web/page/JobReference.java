package dev.almanac.web.page;

import dev.almanac.store.StoredJob;
import dev.almanac.web.guard.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a job in a form: the document, and the version that the viewer has seen. A key would name the job that
 * has it when the form arrives.
 */
record JobReference(String id, long version) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.(.{1,200})", Pattern.DOTALL);

    static JobReference of(StoredJob job) {
        return new JobReference(job.id(), job.specification().version());
    }

    /** @throws Refusal if it is not the text of a reference */
    static JobReference read(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw Refusal.badRequest("The form does not name its jobs as this console does; load the page again.");
        }
        return new JobReference(parts.group(2), Long.parseLong(parts.group(1)));
    }

    @Override
    public String toString() {
        return version + "." + id;
    }
}
