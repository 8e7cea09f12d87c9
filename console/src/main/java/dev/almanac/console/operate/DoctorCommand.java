package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac doctor}. Exit code 1 if something is found. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description =
                "Checks the stored state, and says what to do about each problem. Writes status rows that a crash left out, and gives rows without a deleteTime one; changes nothing else.")
public final class DoctorCommand extends StoreCommand {
    @Option(
            names = "--tolerance",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "how long a job may be due, and a lease over (default: ${DEFAULT-VALUE})")
    private String tolerance = "1m";

    /** Made by the command line. */
    public DoctorCommand() {}

    @Override
    protected void check() {
        tolerance();
    }

    private Duration tolerance() {
        try {
            Duration time = Times.duration(tolerance);
            if (time.isNegative()) {
                throw new InvalidInputException("--tolerance '" + tolerance + "' is negative");
            }
            return time;
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--tolerance '" + tolerance + "' " + e.getMessage());
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        InvariantReport report = access.scheduler().checkInvariants(tolerance());
        List<Finding> findings = report.all();
        if (out.isJson()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("findings", findings.stream().map(DoctorCommand::answer).toList());
            answer.put("jobs", report.jobs());
            answer.put("notChecked", report.notChecked());
            out.json(answer);
        } else {
            print(out, report, findings);
        }
        return findings.isEmpty() ? 0 : 1;
    }

    private static void print(Output out, InvariantReport report, List<Finding> findings) {
        for (Finding finding : findings) {
            out.head(finding.id() + " " + finding.text());
            out.line("  " + finding.advice());
        }
        List<String> notChecked = report.notChecked();
        notChecked.forEach(what -> out.line("not checked: " + what));
        int found = findings.size();
        out.line((found == 0 ? "nothing was found" : found + (found == 1 ? " finding" : " findings"))
                + "; live jobs examined: " + report.jobs());
    }

    private static Map<String, Object> answer(Finding finding) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", finding.id());
        answer.put("kind", finding.kind().name());
        if (finding.subject() != null) {
            answer.put("subject", finding.subject());
        }
        answer.put("text", finding.text());
        answer.put("advice", finding.advice());
        return answer;
    }
}
