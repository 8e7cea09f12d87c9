package dev.almanac.console;

import dev.almanac.model.JobAction;
import picocli.CommandLine.Command;

/** {@code almanac jobs rerun}. */
@Command(
        name = "rerun",
        description = {
            "Repeats jobs that have failed for good, at most once per failed run, however often it is requested.",
            "A one-off becomes a new job of the same key and contents, which runs at once; a recurring job gets an extra run.",
            "A one-off that is named by its key is also repeated, once, if it has gone well or was cancelled."
        })
final class RerunCommand extends FailedJobsCommand {
    RerunCommand() {
        super(JobAction.rerun(), "rerun");
    }
}
