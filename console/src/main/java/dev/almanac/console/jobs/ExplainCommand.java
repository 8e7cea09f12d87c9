package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.terminal.NotFoundException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.store.DamagedJobException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;

/** {@code almanac jobs explain}. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Explains why a job has not run, or when it will.")
final class ExplainCommand extends SingleJobCommand {
    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = access.scheduler();
        Explanation explanation = scheduler.explainJob(key());
        if (explanation.has(Kind.UNKNOWN_KEY)) {
            throw new NotFoundException(explanation.headline());
        }
        if (out.isJson()) {
            out.json(answer(explanation));
        } else {
            print(out, explanation, shownIn(scheduler));
        }
        return 0;
    }

    private ZoneId shownIn(Scheduler scheduler) {
        ZoneId given = zone();
        if (given != null) {
            return given;
        }
        try {
            return scheduler.findJobById(key()).map(JobLines::zoneOf).orElse(ZoneOffset.UTC);
        } catch (DamagedJobException explainedAlready) {
            return ZoneOffset.UTC;
        }
    }

    private static void print(Output out, Explanation explanation, ZoneId zone) {
        out.head(explanation.headline());
        out.value("state", explanation.state());
        // the headline holds the first reason; and that this process, which runs nothing, leaves the job to others
        // means
        // nothing
        explanation.reasons().stream()
                .skip(1)
                .filter(reason -> reason.kind() != Kind.NOT_HERE)
                .forEach(reason -> out.line("- " + reason.text()));
        Instant next = explanation.nextStart();
        out.value("next start", next == null ? null : Times.both(next, zone));
        for (int i = 0; i < explanation.nextFireTimes().size(); i++) {
            out.value(
                    i == 0 ? "fires" : "",
                    Times.both(explanation.nextFireTimes().get(i), zone));
        }
    }

    private static Map<String, Object> answer(Explanation explanation) {
        return new JsonFields()
                .with("jobSpecificationKey", explanation.jobSpecificationKey())
                .with("asOf", explanation.asOf())
                .with("state", explanation.state())
                .with("headline", explanation.headline())
                .with("nextStart", explanation.nextStart())
                .with(
                        "nextFireTimes",
                        explanation.nextFireTimes().stream()
                                .map(Objects::toString)
                                .toList())
                .with(
                        "reasons",
                        explanation.reasons().stream()
                                .map(ExplainCommand::answer)
                                .toList())
                .fields();
    }

    private static Map<String, Object> answer(Reason reason) {
        return new JsonFields()
                .with("kind", reason.kind())
                .with("text", reason.text())
                .with("since", reason.since())
                .with("until", reason.until())
                .with("who", reason.who())
                .fields();
    }
}
