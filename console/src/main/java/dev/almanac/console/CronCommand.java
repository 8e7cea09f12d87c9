package dev.almanac.console;

import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.Schedule;
import dev.almanac.web.json.Fields;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "cron", description = "Reads cron expressions and computes fires.", addMethodSubcommands = false)
final class CronCommand {
    private static final String FIELDS = "dialect, expression, zone, from, policy and count are expected";
    private static final String NEEDED = "an EXPRESSION is expected, in quotes, such as '0 30 2 * * ?'";
    static final TimeQuestion NEXT = new TimeQuestion(FIELDS, 6, fields -> fires(fields, true));
    static final TimeQuestion PREVIOUS = new TimeQuestion(FIELDS, 6, fields -> fires(fields, false));
    private static final TimeQuestion CHECK =
            new TimeQuestion("dialect and expression are expected", 2, fields -> check(schedule(fields)));
    static final TimeQuestion DESCRIBE = new TimeQuestion("dialect and expression are expected", 2, fields -> {
        String words = CronDescription.of(schedule(fields));
        return new TimeQuestion.Answer(words, new Fields().with("description", words), words);
    });

    @Spec
    private CommandSpec spec;

    static class ExpressionArguments {
        @Parameters(arity = "0..1", paramLabel = "EXPRESSION", description = "the expression, quoted")
        @Nullable
        String expression;

        @Option(
                names = "--dialect",
                defaultValue = "quartz",
                description = "quartz (default), unix, spring, rrule, every or every-after-end")
        String dialect;

        @Option(names = "--json", description = "answer as JSON")
        boolean json;

        @Option(
                names = "--batch",
                description = "read tab-separated lines: dialect, expression; next and previous: zone, from, policy,"
                        + " count [, kind, parameters], too")
        boolean batch;

        @Nullable
        String[] fields() {
            return new String[] {dialect, expression};
        }
    }

    static final class Arguments extends ExpressionArguments {
        @Option(names = "--zone", defaultValue = "UTC", description = "zone of the wall times (default UTC)")
        private String zone;

        @Option(
                names = "--from",
                defaultValue = "PT0S",
                description = "a moment such as 2026-03-29T00:00:00Z, 2026-03-29 in the zone, or 15m from now (default"
                        + " now); steps are counted from it")
        private String from;

        @Option(names = "--policy", defaultValue = "RUN_ONCE", description = "RUN_ONCE (default), SKIP or WALL_ONCE")
        private String policy;

        @Option(
                names = {"-n", "--count"},
                defaultValue = "5",
                description = "how many (default 5)")
        private String count;

        @Option(names = "--calendar", defaultValue = "", description = "kind of an exclusion calendar, such as Weekly")
        private String calendar;

        @Option(names = "--parameters", defaultValue = "", description = "its parameters, such as days=1,7")
        private String parameters;

        @Override
        @Nullable
        String[] fields() {
            return new String[] {dialect, expression, zone, from, policy, count, calendar, parameters};
        }
    }

    @Command(name = "next", description = "The next fires after an instant.")
    int next(@Mixin Arguments arguments) {
        return ask(NEXT, arguments);
    }

    @Command(name = "previous", description = "The last fires before an instant.")
    int previous(@Mixin Arguments arguments) {
        return ask(PREVIOUS, arguments);
    }

    @Command(name = "check", description = "Whether an expression is accepted.")
    int check(@Mixin ExpressionArguments arguments) {
        return ask(CHECK, arguments);
    }

    @Command(name = "describe", description = "An expression in words.")
    int describe(@Mixin ExpressionArguments arguments) {
        return ask(DESCRIBE, arguments);
    }

    private int ask(TimeQuestion question, ExpressionArguments given) {
        return given.batch ? question.batch(spec) : question.ask(spec, NEEDED, given.json, given.fields());
    }

    private static Schedule schedule(String[] fields) {
        return TimeArguments.schedule(fields[0], fields[1], Instant.EPOCH);
    }

    private static TimeQuestion.Answer check(Schedule schedule) {
        Optional<String> hint = hint(schedule);
        Fields fields = new Fields()
                .with("valid", true)
                .with("canonical", schedule)
                .with("fixed", schedule.isFixedTime())
                .with("hint", hint.orElse(null));
        String text = "valid: " + schedule
                + hint.map(more -> System.lineSeparator() + "hint: " + more).orElse("");
        return new TimeQuestion.Answer(text, fields, "valid\t" + schedule);
    }

    /** {@code * 3 * * *} fires sixty times a day, and with a star for the second 3,600 times, which few people mean. */
    private static Optional<String> hint(Schedule schedule) {
        if (!schedule.canFire()) {
            return Optional.of(Schedule.NEVER_FIRES + "; a job with it is refused");
        }
        String[] fields = schedule.toString().split(" ");
        int hour = schedule.dialect() == CronDialect.UNIX ? 1 : 2;
        boolean dense = schedule.dialect().isCron() && fields[hour - 1].equals("*") && !fields[hour].startsWith("*");
        if (!dense) {
            return Optional.empty();
        }
        Recurrence plain = new Recurrence(
                schedule, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, List.of(), CalendarPolicy.DROP, null, null);
        Instant first = plain.next(Instant.EPOCH).map(PlannedFire::fireTime).orElse(Instant.EPOCH);
        long times = plain.count(first.minusNanos(1), first.plusSeconds(3_599), 3_600);
        Arrays.fill(fields, 0, hour, "0");
        return Optional.of("fires every minute of the hours that it names, " + times + " times in each; '"
                + String.join(" ", fields) + "' fires once in each");
    }

    /** Texts and lines end with {@code none} if there are fewer than asked for; of a fixed delay only one is known. */
    private static TimeQuestion.Answer fires(String[] fields, boolean forward) {
        ZoneId zone = TimeArguments.zone(fields[2]);
        Instant at = TimeArguments.instant("from", fields[3], zone);
        Recurrence recurrence = recurrence(fields, zone, at);
        int count = TimeArguments.count(fields[5]);
        List<Instant> fires = new ArrayList<>();
        while (fires.size() < count) {
            Optional<PlannedFire> fire = forward ? recurrence.next(at) : recurrence.previous(at);
            if (fire.isEmpty()) {
                break;
            }
            at = fire.get().fireTime();
            fires.add(at);
        }
        boolean delay = recurrence.schedule().dialect() == CronDialect.EVERY_AFTER_END && !fires.isEmpty();
        boolean ends = fires.size() < count && !delay;
        List<String> texts =
                new ArrayList<>(fires.stream().map(Instant::toString).toList());
        String text = fires.stream()
                .map(fire -> fire + "  " + fire.atZone(zone))
                .collect(Collectors.joining(System.lineSeparator()));
        Fields answer = new Fields().list("fires", List.copyOf(texts)).with("ended", ends ? true : null);
        if (ends) {
            texts.add("none");
            text += (fires.isEmpty() ? "" : System.lineSeparator()) + "none, no more fires";
        }
        return new TimeQuestion.Answer(text, answer, String.join(",", texts));
    }

    private static Recurrence recurrence(String[] fields, ZoneId zone, Instant from) {
        DaylightSavingPolicy policy = TimeArguments.word("policy", DaylightSavingPolicy.class, fields[4]);
        Schedule schedule = TimeArguments.schedule(fields[0], fields[1], from);
        List<ExclusionCalendar> calendars = fields.length > 6 && !fields[6].isBlank()
                ? List.of(TimeArguments.calendar(fields[6], fields.length > 7 ? fields[7] : ""))
                : List.of();
        return new Recurrence(schedule, zone, policy, calendars, CalendarPolicy.DROP, null, null);
    }
}
