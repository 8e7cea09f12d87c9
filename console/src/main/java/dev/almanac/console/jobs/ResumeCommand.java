package dev.almanac.console.jobs;

import dev.almanac.console.reach.Reach;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.Job;
import picocli.CommandLine.Command;

/** {@code almanac jobs resume}. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        description = "Lets a paused job go on; fires that passed meanwhile are missed fires.")
final class ResumeCommand extends OneJob {
    @Override
    protected int answer(Reach reach, Output out) {
        Job job = reach.scheduler().resumeJob(key());
        return changed(out, job, key() + " goes on; " + nextFire(job));
    }
}
