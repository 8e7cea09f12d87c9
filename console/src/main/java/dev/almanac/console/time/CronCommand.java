package dev.almanac.console.time;

import dev.almanac.console.terminal.Json;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.Schedule;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code almanac cron}. */
@Command(name = "cron", mixinStandardHelpOptions = true, description = "Reads cron expressions and computes fires.")
public final class CronCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** The arguments of all subcommands. */
    static final class Question {
        @Parameters(arity = "0..1", paramLabel = "EXPRESSION", description = "the expression, quoted")
        private @Nullable String expression;

        @Option(
                names = "--dialect",
                defaultValue = "quartz",
                description = "quartz (default), unix, spring, rrule, every or every-after-end")
        private String dialect;

        @Option(names = "--zone", defaultValue = "UTC", description = "zone of the wall times (default UTC)")
        private String zone;

        @Option(
                names = "--from",
                description = "a moment such as 2026-03-29T00:00:00Z, 2026-03-29 in the zone, or 15m from now (default"
                        + " now); steps are counted from it")
        private @Nullable String from;

        @Option(names = "--policy", defaultValue = "RUN_ONCE", description = "RUN_ONCE (default), SKIP or WALL_ONCE")
        private String policy;

        @Option(
                names = {"-n", "--count"},
                defaultValue = "5",
                description = "how many (default 5)")
        private String count;

        @Option(names = "--calendar", description = "kind of an exclusion calendar, such as Weekly")
        private @Nullable String calendar;

        @Option(names = "--parameters", defaultValue = "", description = "its parameters, such as days=1,7")
        private String parameters;

        @Option(names = "--json", description = "answer as JSON")
        private boolean json;

        @Option(
                names = "--batch",
                description = "read tab-separated lines: dialect, expression, zone, from, policy,"
                        + " count [, kind, parameters]")
        private boolean batch;

        private Schedule schedule(CommandSpec spec, Instant anchor) {
            if (expression == null) {
                throw new ParameterException(spec.commandLine(), "an expression is expected, in quotes");
            }
            return TimeArguments.schedule(dialect, expression, anchor);
        }

        private List<String> fires(CommandSpec spec, boolean forward) {
            ZoneId inZone = TimeArguments.zone(zone);
            Instant start = from == null ? Instant.now() : TimeArguments.instant("from", from, inZone);
            Recurrence recurrence = CronCommand.recurrence(
                    schedule(spec, start), inZone, TimeArguments.policy(policy), calendar, parameters);
            return CronCommand.fires(recurrence, start, TimeArguments.count(count), forward);
        }
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "next, previous, check or describe is expected");
    }

    @Command(name = "next", mixinStandardHelpOptions = true, description = "The next fires after an instant.")
    int next(@Mixin Question question) {
        PrintWriter out = spec.commandLine().getOut();
        if (question.batch) {
            return Batch.run(out, fields -> answer(fields, true));
        }
        show(question, question.fires(spec, true));
        return 0;
    }

    @Command(name = "previous", mixinStandardHelpOptions = true, description = "The last fires before an instant.")
    int previous(@Mixin Question question) {
        PrintWriter out = spec.commandLine().getOut();
        if (question.batch) {
            return Batch.run(out, fields -> answer(fields, false));
        }
        show(question, question.fires(spec, false));
        return 0;
    }

    @Command(name = "check", mixinStandardHelpOptions = true, description = "Whether an expression is accepted.")
    int check(@Mixin Question question) {
        PrintWriter out = spec.commandLine().getOut();
        if (question.batch) {
            return Batch.run(out, fields -> read(fields, schedule -> "valid\t" + schedule));
        }
        Schedule schedule = question.schedule(spec, Instant.EPOCH);
        if (question.json) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("valid", true);
            answer.put("canonical", schedule.toString());
            answer.put("fixed", schedule.isFixedTime());
            hint(schedule).ifPresent(hint -> answer.put("hint", hint));
            out.println(Json.text(answer));
        } else {
            out.println("valid: " + schedule);
            hint(schedule).ifPresent(hint -> out.println("hint: " + hint));
        }
        return 0;
    }

    /** {@code * 3 * * *} fires sixty times a day, which few people mean. */
    private static Optional<String> hint(Schedule schedule) {
        String[] fields = schedule.toString().split(" ");
        int hour = schedule.dialect() == CronDialect.UNIX ? 1 : 2;
        boolean dense = schedule.dialect().isCron() && fields[hour - 1].equals("*") && !fields[hour].startsWith("*");
        if (!dense) {
            return Optional.empty();
        }
        Arrays.fill(fields, 0, hour, "0");
        return Optional.of("fires every minute of the hours that it names, 60 times in each; '"
                + String.join(" ", fields) + "' fires once in each");
    }

    @Command(name = "describe", mixinStandardHelpOptions = true, description = "An expression in words.")
    int describe(@Mixin Question question) {
        PrintWriter out = spec.commandLine().getOut();
        if (question.batch) {
            return Batch.run(out, fields -> read(fields, CronDescription::of));
        }
        String words = CronDescription.of(question.schedule(spec, Instant.EPOCH));
        out.println(question.json ? Json.text(Map.of("description", words)) : words);
        return 0;
    }

    /** A line of dialect and expression. */
    static String read(String[] fields, Function<Schedule, String> answer) {
        try {
            if (fields.length < 2) {
                throw new InvalidFieldException("line", 1, "dialect and expression are expected");
            }
            return answer.apply(TimeArguments.schedule(fields[0], fields[1], Instant.EPOCH));
        } catch (InvalidFieldException e) {
            return e.line();
        }
    }

    private void show(Question question, List<String> fires) {
        PrintWriter out = spec.commandLine().getOut();
        if (question.json) {
            out.println(Json.text(Map.of("fires", fires)));
            return;
        }
        ZoneId zone = TimeArguments.zone(question.zone);
        for (String fire : fires) {
            out.println(
                    fire.equals("none")
                            ? "none, no more fires"
                            : fire + "  " + Instant.parse(fire).atZone(zone));
        }
    }

    static String answer(String[] fields, boolean forward) {
        try {
            if (fields.length < 6) {
                throw new InvalidFieldException(
                        "line", 1, "dialect, expression, zone, from, policy and count are expected");
            }
            ZoneId zone = TimeArguments.zone(fields[2]);
            Instant from = TimeArguments.instant("from", fields[3], zone);
            Schedule schedule = TimeArguments.schedule(fields[0], fields[1], from);
            String kind = fields.length > 6 && !fields[6].isBlank() ? fields[6] : null;
            Recurrence recurrence = recurrence(
                    schedule, zone, TimeArguments.policy(fields[4]), kind, fields.length > 7 ? fields[7] : "");
            return String.join(",", fires(recurrence, from, TimeArguments.count(fields[5]), forward));
        } catch (InvalidFieldException e) {
            return e.line();
        }
    }

    private static Recurrence recurrence(
            Schedule schedule, ZoneId zone, DaylightSavingPolicy policy, @Nullable String kind, String parameters) {
        List<ExclusionCalendar> calendars =
                kind == null ? List.of() : List.of(TimeArguments.calendar(kind, parameters));
        return new Recurrence(schedule, zone, policy, calendars, CalendarPolicy.DROP, null, null);
    }

    /** Ends with {@code none} if there are fewer than asked for; of a fixed delay only one is known. */
    private static List<String> fires(Recurrence recurrence, Instant from, int count, boolean forward) {
        List<String> fires = new ArrayList<>();
        Instant at = from;
        while (fires.size() < count) {
            Optional<PlannedFire> fire = forward ? recurrence.next(at) : recurrence.previous(at);
            boolean delay = recurrence.schedule().dialect() == CronDialect.EVERY_AFTER_END;
            if (fire.isEmpty() && delay && !fires.isEmpty()) {
                return fires;
            }
            if (fire.isEmpty()) {
                fires.add("none");
                return fires;
            }
            at = fire.get().fireTime();
            fires.add(at.toString());
        }
        return fires;
    }
}
