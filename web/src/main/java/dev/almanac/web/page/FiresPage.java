package dev.almanac.web.page;

import dev.almanac.model.FireAccount;
import dev.almanac.model.FireAccount.Kind;
import dev.almanac.model.FireReport;
import dev.almanac.store.StoredJob;
import dev.almanac.web.read.StoreReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What became of the planned fires of a job.
 *
 * @param since from when on, as it was typed
 * @param report without what is hidden from this viewer
 * @param accounts those of this page: what is unaccounted for first, then the newest first
 * @param begin how many come before them
 * @param rest how many follow them
 * @param nodes names the nodes
 */
record FiresPage(String since, FireReport report, List<FireAccount> accounts, int begin, int rest, NodeNames nodes) {
    static final List<String> SPANS = List.of("1d", "7d", "35d");

    static final Duration USUAL = Duration.ofDays(7);
    private static final int PAGE = 100;

    static FiresPage of(StoreReader storeReader, PageRequest call) {
        StoredJob job = JobPage.seen(storeReader, call);
        String since = Objects.requireNonNullElse(call.parameter("since"), USUAL.toDays() + "d");
        int begin = call.count("begin");
        FireReport report = report(storeReader, call, job, Moments.back(call, "since", since));
        List<FireAccount> all = new ArrayList<>(report.accounts());
        all.sort(Comparator.comparing((FireAccount account) -> account.kind() != Kind.UNACCOUNTED)
                .thenComparing(FireAccount::fireTime, Comparator.reverseOrder()));
        List<FireAccount> shown = all.stream().skip(begin).limit(PAGE).toList();
        return new FiresPage(
                since,
                report,
                shown,
                begin,
                Math.max(0, all.size() - begin - PAGE),
                new NodeNames(storeReader.nodes()));
    }

    /** As this viewer may see it. */
    static FireReport report(StoreReader storeReader, PageRequest call, StoredJob job, Instant since) {
        FireReport whole = storeReader.fires(job, since);
        return JobVisibility.hasErrors(call, job) ? whole : HiddenErrors.of(whole);
    }

    String tone() {
        if (lost() > 0) {
            return "bad";
        }
        return !report.computed() ? "warn" : report.accounts().isEmpty() ? "" : "good";
    }

    /** The answer in one sentence. */
    String headline() {
        long planned =
                report.counts().values().stream().mapToLong(Long::longValue).sum();
        if (lost() > 0) {
            return lost() + " of " + planned + " planned fires " + (lost() == 1 ? "is" : "are") + " unaccounted for.";
        } else if (!report.computed()) {
            return planned + (planned == 1 ? " fire is" : " fires are")
                    + " accounted for; others cannot be computed here.";
        } else if (planned == 0) {
            return "No fire was planned in this time.";
        }
        return planned == 1
                ? "The planned fire is accounted for."
                : "Each of " + planned + " planned fires is accounted for.";
    }

    private long lost() {
        return report.count(Kind.UNACCOUNTED);
    }

    /** How many fires have which account. */
    Map<Kind, Long> counts() {
        return report.counts();
    }

    /** The address of these accounts in another time, or of others of them. */
    String address(Frame frame, String from, int first) {
        return frame.link("/fires", "key", report.jobSpecificationKey()) + "&since=" + Frame.encoded(from)
                + (first <= 0 ? "" : "&begin=" + first);
    }

    String later(Frame frame) {
        return address(frame, since, begin + PAGE);
    }

    String earlier(Frame frame) {
        return address(frame, since, begin - PAGE);
    }
}
