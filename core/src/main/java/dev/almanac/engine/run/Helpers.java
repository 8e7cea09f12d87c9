package dev.almanac.engine.run;

import dev.almanac.engine.node.Contained;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.util.List;
import java.util.Optional;

/**
 * The service's helpers in the order of their registration, and the types of its commands.
 *
 * @param registry the command types
 * @param helpers asked in this order
 * @param contained where a {@code supports} that throws is counted
 */
public record Helpers(CommandRegistry registry, List<SchedulingHelper> helpers, Contained contained) {
    public Helpers {
        helpers = List.copyOf(helpers);
    }

    /** The first helper that supports the command. One whose {@code supports} throws does not. */
    Optional<SchedulingHelper> supporting(SchedulingCommand command, Execution execution) {
        return helpers.stream()
                .filter(helper -> supports(helper, command, execution))
                .findFirst();
    }

    private boolean supports(SchedulingHelper helper, SchedulingCommand command, Execution execution) {
        try {
            return helper.supports(command, execution);
        } catch (Throwable e) {
            contained.add(Contained.name(helper) + ".supports, which counts as no,", e);
            return false;
        }
    }
}
