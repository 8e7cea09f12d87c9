package dev.almanac.console;

import dev.almanac.model.JobAction;
import picocli.CommandLine.Command;

/** {@code almanac jobs acknowledge}. */
@Command(
        name = "acknowledge",
        description = {
            "Notes that a user has looked at the failures of jobs: they are no longer open.",
            "A failure is also closed by the next good run of its job, and by a good rerun."
        })
final class AcknowledgeCommand extends FailedJobsCommand {
    AcknowledgeCommand() {
        super(JobAction.acknowledge(), "acknowledge");
    }
}
