package dev.almanac.console;

import dev.almanac.Health;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import dev.almanac.web.read.ClusterHealth;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command, with the small commands that belong to no group. */
@Command(
        name = "almanac",
        versionProvider = Almanac.class,
        description = "A persistent job scheduler for Java services on MongoDB.",
        addMethodSubcommands = false,
        footer = {
            "",
            "Exit codes: 0 done, 1 a problem was found or something could not be done, 2 wrong input, 3 not found.",
            "Commands that need a database take --uri, or ALMANAC_URI of the environment.",
            "./almanac demo runs a day of payments; it is one of the examples."
        })
final class Almanac implements IVersionProvider {
    /** What is shown of the lateness of a type, by its name in JSON. */
    private static final Map<String, Function<LatenessCounts, Duration>> FIGURES = new TreeMap<>(Map.of(
            "p50", lateness -> lateness.percentile(0.5),
            "p95", lateness -> lateness.percentile(0.95),
            "p99", lateness -> lateness.percentile(0.99),
            "worst", LatenessCounts::worst));

    @Spec
    private CommandSpec spec;

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "show the stack trace of an error")
    private boolean verbose;

    @Override
    public String[] getVersion() throws IOException {
        try (InputStream version = Objects.requireNonNull(Almanac.class.getResourceAsStream("version.txt"))) {
            return new String[] {"almanac " + new String(version.readAllBytes(), StandardCharsets.UTF_8).strip()};
        }
    }

    boolean isVerbose() {
        return verbose;
    }

    /** The shells for which there is a completion script; zsh reads bash's. */
    enum Shell {
        /** For both. */
        BASH,
        /** After {@code autoload -U bashcompinit && bashcompinit}. */
        ZSH
    }

    @Command(
            name = "completion",
            description = "Prints a script that completes commands: source <(almanac completion bash)")
    int completion(@Parameters(paramLabel = "SHELL", description = "bash or zsh") Shell shell) {
        CommandLine root = spec.commandLine();
        root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
        return 0;
    }

    @Command(
            name = "health",
            description =
                    "Shows the health of the database and its nodes: UP, DEGRADED or DOWN, with reasons. Exit code 1 unless UP.")
    int health(@Mixin Session session) {
        return session.store(access -> {
            Health health = healthOf(access);
            session.out().answer(Answers.health(health), out -> {
                out.state(health.state().name());
                health.reasons().forEach(out::line);
            });
            return health.state() == Health.State.UP ? 0 : 1;
        });
    }

    private static Health healthOf(StoreAccess access) {
        try {
            return ClusterHealth.of(access.store(), access.scheduler());
        } catch (RuntimeException e) {
            RuntimeException cause = access.explained(e);
            if (cause instanceof InvalidInputException || cause instanceof CommandFailedException) {
                return new Health(Health.State.DOWN, List.of(String.valueOf(cause.getMessage())));
            }
            throw e;
        }
    }

    @Command(
            name = "doctor",
            description =
                    "Checks the stored state, and says what to do about each problem. Writes the newest status row of a job if a crash left it out; changes nothing else.")
    int doctor(
            @Mixin Session session,
            @Option(
                            names = "--tolerance",
                            paramLabel = "TIME",
                            defaultValue = "1m",
                            description = "how long a job may be due, and a lease over (default: ${DEFAULT-VALUE})")
                    Duration tolerance) {
        return session.store(access -> {
            InvariantReport report = access.scheduler().checkInvariants(tolerance);
            List<Finding> findings = report.all();
            session.out().answer(Answers.doctor(report), out -> {
                for (Finding finding : findings) {
                    out.head(finding.id() + " " + finding.text());
                    out.line("  " + finding.advice());
                }
                report.notChecked().forEach(what -> out.line("not checked: " + what));
                int found = findings.size();
                out.line((found == 0 ? "nothing was found" : found + (found == 1 ? " finding" : " findings"))
                        + "; live jobs examined: " + report.jobs());
            });
            return findings.isEmpty() ? 0 : 1;
        });
    }

    @Command(
            name = "lateness",
            description =
                    "Shows how late planned runs started, by command type: the 50th, 95th and 99th percentile, and the maximum.")
    int lateness(
            @Mixin Session session,
            @Option(
                            names = "--since",
                            paramLabel = "TIME",
                            defaultValue = "1h",
                            description =
                                    "from when on: today, a date, 24h (ago); at most 7 days are kept (default: ${DEFAULT-VALUE})")
                    Times.Past since,
            @Mixin ZoneOption zone) {
        return session.useStore(access -> {
            Instant from = since.passed("--since", zone.orUtc(), access.now());
            Map<String, LatenessCounts> types = new TreeMap<>();
            for (MinuteReport minute : access.opened().cluster().minutes(from)) {
                minute.types().forEach((type, of) -> types.merge(type, of.lateness(), LatenessCounts::plus));
            }
            // only manual runs, which are never late
            types.values().removeIf(lateness -> lateness.total() == 0);
            Columns<Map.Entry<String, LatenessCounts>> columns = new Columns<Map.Entry<String, LatenessCounts>>()
                    .text("TYPE", Map.Entry::getKey)
                    .whole("RUNS", type -> type.getValue().total());
            FIGURES.forEach((name, figure) ->
                    columns.whole(name.toUpperCase(Locale.ROOT), type -> shown(figure.apply(type.getValue()))));
            String none = "no planned run has begun since " + Times.both(from, zone.orUtc());
            session.out().list("types", List.copyOf(types.entrySet()), Almanac::fields, none, columns);
        });
    }

    private static Fields fields(Map.Entry<String, LatenessCounts> type) {
        Fields fields = new Fields()
                .with("type", type.getKey())
                .with("runs", type.getValue().total());
        FIGURES.forEach((name, figure) -> fields.with(name, figure.apply(type.getValue())));
        return fields;
    }

    private static String shown(Duration lateness) {
        long millis = lateness.toMillis();
        return millis < 10_000 ? millis + " ms" : millis / 1_000 + " s";
    }

    @Command(name = "business-days", description = "Shows to which business day a convention moves a date.")
    int businessDays(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "CONVENTION",
                            description = "NONE, FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING")
                    @Nullable
                    String convention,
            @Parameters(arity = "0..1", paramLabel = "CALENDAR", description = "TARGET2 or WEEKENDS") @Nullable
                    String calendar,
            @Parameters(arity = "0..1", paramLabel = "DATE", description = "such as 2026-05-01") @Nullable String date,
            @Option(names = "--json", description = "answer as JSON") boolean json,
            @Option(names = "--batch", description = "read tab-separated lines: convention, calendar, date")
                    boolean batch) {
        TimeQuestion question = CalendarsCommand.BUSINESS_DAYS;
        return batch
                ? question.batch(spec)
                : question.ask(spec, "CONVENTION, CALENDAR and DATE are expected", json, convention, calendar, date);
    }
}
