package dev.almanac.engine;

import dev.almanac.helper.CommandRegistry;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service's helpers in the order of their registration, and the types of its commands.
 *
 * @param registry the command types
 * @param helpers asked in this order
 * @param complained classes of helpers whose {@code supports} has thrown, so that it is logged once
 */
record Helpers(CommandRegistry registry, List<SchedulingHelper> helpers, Set<Class<?>> complained) {
    private static final Logger LOG = LoggerFactory.getLogger(Helpers.class);

    Helpers(CommandRegistry registry, List<SchedulingHelper> helpers) {
        this(registry, List.copyOf(helpers), ConcurrentHashMap.newKeySet());
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
        } catch (RuntimeException | LinkageError e) {
            if (complained.add(helper.getClass())) {
                LOG.warn(
                        "{}.supports has thrown and counts as no; this is logged once",
                        helper.getClass().getName(),
                        e);
            }
            return false;
        }
    }
}
