package dev.almanac.console;

import dev.almanac.FireReports;
import dev.almanac.Scheduler;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireAccount.Kind;
import dev.almanac.model.FireReport;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.JobList;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "fires",
        description =
                "Shows what became of each planned fire of a job, or sums that up for many. Exit code 1: a fire is"
                        + " unaccounted for.")
final class FiresCommand implements Callable<Integer> {
    /** Few, so that a page is not old when its rows are read. */
    private static final int PAGE = 200;

    private static final int WINDOW = 25_000;
    /** A day of the command and a day of the engine begin a moment apart. */
    private static final Duration ROUGHLY = Duration.ofMinutes(1);

    @Mixin
    private Session session;

    @Parameters(arity = "0..1", paramLabel = "KEY", description = "the job's key; many jobs: --where-..., --all")
    private @Nullable String key;

    @Mixin
    private JobKind jobs;

    @Option(names = "--all", description = "all live jobs, of every application")
    private boolean all;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "7d",
            description = "fires planned at or after this moment: today, yesterday, a date, 24h (ago)"
                    + " (default: ${DEFAULT-VALUE})")
    private Times.Past since;

    @Mixin
    private RowOptions view;

    @Override
    public Integer call() {
        view.check("");
        long named =
                Stream.of(key != null, jobs.isGiven(), all).filter(is -> is).count();
        InvalidInputException.when(
                named != 1, "which jobs? Name a job's KEY, or the kind of jobs with --where-..., or write --all");
        return session.store(access -> {
            Scheduler scheduler = access.scheduler();
            ZoneId zone = view.orOf(scheduler, key);
            Instant from = since.passed("--since", zone, access.now());
            return key == null ? many(access, scheduler, from, zone) : one(scheduler, from, zone);
        });
    }

    private int one(Scheduler scheduler, Instant from, ZoneId zone) {
        FireReport report = scheduler
                .fires(String.valueOf(key), from)
                .orElseThrow(() -> new NotFoundException(
                        "no job '" + key + "': it was never scheduled, or has expired since it finished"));
        List<FireAccount> accounts = report.accounts();
        List<FireAccount> shown = accounts.subList(Math.max(0, accounts.size() - view.limit()), accounts.size());
        Output out = session.out();
        if (out.isJson()) {
            try (Json.Listing listing = out.listing("fires")) {
                Answers.fires(listing, report, view.limit());
            }
        } else {
            String limited = report.limit() == null ? "" : " (" + report.limit() + ")";
            out.line("fires of '" + key + "' from " + Times.both(report.from(), zone) + " until "
                    + Times.both(report.until(), zone) + limited);
            out.line(accounts.isEmpty() ? "none was planned" : words(report.counts()));
            if (!accounts.isEmpty()) {
                out.table(columns(zone), shown);
            }
            if (shown.size() < accounts.size()) {
                out.line("earlier ones are not shown: add --limit 1000, or a later --since");
            }
        }
        return report.count(Kind.UNACCOUNTED) > 0 ? 1 : 0;
    }

    private Columns<FireAccount> columns(ZoneId zone) {
        return new Columns<FireAccount>()
                .moment("PLANNED", zone, FireAccount::fireTime)
                .whole("FIRES", FireAccount::count)
                .whole("ACCOUNT", FireAccount::kind)
                .whole("OUTCOME", account -> account.outcome() == null ? "-" : account.outcome())
                .moment("AT", zone, FireAccount::at)
                .note(FiresCommand::about);
    }

    private static String about(FireAccount account) {
        String by = account.by() == null ? "" : "by " + account.by();
        String detail = account.detail() == null ? "" : account.detail();
        return by + (by.isEmpty() || detail.isEmpty() ? "" : ": ") + detail;
    }

    private static String words(Map<Kind, Long> counts) {
        return counts.entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
    }

    /** Of each job a line only if something is unaccounted for; of all of them the sums. */
    private int many(StoreAccess access, Scheduler scheduler, Instant from, ZoneId zone) {
        Output out = session.out();
        MongoJobStore store = access.opened();
        FireReports reports = scheduler.fireReports();
        Map<Kind, Long> sums = new EnumMap<>(Kind.class);
        long[] read = new long[5];
        Instant[] told = {from};
        try (Json.@Nullable Listing listing = out.isJson() ? out.listing("jobs") : null) {
            out.pages(jobs.query(PAGE).window(WINDOW), part -> {
                JobList page = store.list(part);
                read[4] += page.damaged().size();
                reports.read(page.jobs(), from, report -> {
                    report.counts().forEach((kind, count) -> sums.merge(kind, count, Long::sum));
                    read[0]++;
                    read[2] += report.computed() ? 0 : 1;
                    boolean later = report.from().isAfter(from.plus(ROUGHLY));
                    read[3] += later ? 1 : 0;
                    told[0] = later && report.from().isAfter(told[0]) ? report.from() : told[0];
                    if (report.count(Kind.UNACCOUNTED) > 0 && read[1]++ < view.limit()) {
                        tell(out, listing, report, zone);
                    }
                });
                out.progress(() -> "read " + read[0] + " jobs");
                return page.lastKey() == null ? null : part.after(page.lastKey());
            });
            if (listing != null) {
                listing.end(new Fields()
                        .with("read", read[0])
                        .with("damaged", read[4] > 0 ? read[4] : null)
                        .with("notComputed", read[2] > 0 ? read[2] : null)
                        .with("limited", read[3] > 0 ? read[3] : null)
                        .with("from", read[3] > 0 ? told[0] : null)
                        .with("more", read[1] > view.limit() ? true : null)
                        .with("counts", Answers.counts(sums)));
            }
        }
        if (!out.isJson()) {
            out.line(TextLayout.jobs(read[0]) + ", planned fires since " + Times.both(from, zone) + ": "
                    + (sums.isEmpty() ? "none" : words(sums)));
            if (read[4] > 0) {
                out.line(TextLayout.jobs(read[4]) + " cannot be read: almanac doctor");
            }
            if (read[2] > 0) {
                out.line("not all fires of " + TextLayout.jobs(read[2])
                        + " can be computed here, such as of a calendar that its service declares");
            }
            if (read[3] > 0) {
                out.line("of " + TextLayout.jobs(read[3]) + " only fires since " + Times.both(told[0], zone)
                        + " can be told: almanac fires KEY says why");
            }
            if (read[1] > view.limit()) {
                out.line(read[1] - view.limit() + " more jobs have fires that are unaccounted for: add --limit 1000");
            }
        }
        return sums.getOrDefault(Kind.UNACCOUNTED, 0L) > 0 ? 1 : 0;
    }

    private static void tell(Output out, Json.@Nullable Listing listing, FireReport report, ZoneId zone) {
        if (listing != null) {
            listing.item(Answers.fires(report));
            return;
        }
        report.accounts().stream()
                .filter(account -> account.kind() == Kind.UNACCOUNTED)
                .findFirst()
                .ifPresent(first -> out.line("'" + report.jobSpecificationKey() + "': "
                        + report.count(Kind.UNACCOUNTED) + " unaccounted for, the first of "
                        + Times.both(first.fireTime(), zone) + ": " + first.detail()));
    }
}
