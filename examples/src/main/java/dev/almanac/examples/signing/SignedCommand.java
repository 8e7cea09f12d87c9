package dev.almanac.examples.signing;

import dev.almanac.model.SchedulingCommand;

/** A command that names its job, so that its signature is good for no other one. */
public interface SignedCommand extends SchedulingCommand {
    /** The key of the job that it was made for. */
    String jobKey();
}
