package dev.almanac.console;

import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import dev.almanac.web.json.Answers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code almanac doctor}. Exit code 1 if something is found. */
@Command(
        name = "doctor",
        description =
                "Checks the stored state, and says what to do about each problem. Writes status rows that a crash left out, and gives rows without a deleteTime one; changes nothing else.")
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private Session session;

    @Option(
            names = "--tolerance",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "how long a job may be due, and a lease over (default: ${DEFAULT-VALUE})")
    private Duration tolerance;

    @Override
    public Integer call() {
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
}
