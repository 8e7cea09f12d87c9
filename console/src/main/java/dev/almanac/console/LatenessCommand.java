package dev.almanac.console;

import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.web.json.Fields;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code almanac lateness}. */
@Command(
        name = "lateness",
        description =
                "Shows how late runs started, by command type: the 50th, 95th and 99th percentile, and the maximum.")
final class LatenessCommand implements Callable<Integer> {
    @Mixin
    private Session session;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "from when on: today, a date, 24h (ago); at most 7 days are kept (default: ${DEFAULT-VALUE})")
    private Times.Past since;

    /** What is shown of the lateness of a type, by its name in JSON. */
    private static final Map<String, Function<LatenessCounts, Duration>> FIGURES = new TreeMap<>(Map.of(
            "p50", lateness -> lateness.percentile(0.5),
            "p95", lateness -> lateness.percentile(0.95),
            "p99", lateness -> lateness.percentile(0.99),
            "worst", LatenessCounts::worst));

    @Override
    public Integer call() {
        Instant from = since.in(ZoneOffset.UTC);
        return session.store(access -> {
            MongoJobStore store = access.opened();
            Map<String, LatenessCounts> types = new TreeMap<>();
            for (MinuteReport minute : store.cluster().minutes(from)) {
                minute.types().forEach((type, of) -> types.merge(type, of.lateness(), LatenessCounts::plus));
            }
            Columns<Map.Entry<String, LatenessCounts>> columns = new Columns<Map.Entry<String, LatenessCounts>>()
                    .text("TYPE", Map.Entry::getKey)
                    .whole("RUNS", type -> type.getValue().total());
            FIGURES.forEach((name, figure) ->
                    columns.whole(name.toUpperCase(Locale.ROOT), type -> shown(figure.apply(type.getValue()))));
            session.out()
                    .list(
                            "types",
                            List.copyOf(types.entrySet()),
                            LatenessCommand::fields,
                            "nothing has run since " + Times.both(from, ZoneOffset.UTC),
                            columns);
            return 0;
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
}
