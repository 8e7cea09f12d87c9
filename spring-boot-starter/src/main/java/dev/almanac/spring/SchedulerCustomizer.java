package dev.almanac.spring;

import dev.almanac.SchedulerBuilder;

/**
 * A bean that sets something on the scheduler's builder, such as {@code builder.command("reminder", 1, Reminder.class,
 * (reminder, run) -> mailer.send(reminder))}. Called once, after the properties and the other beans, in the order of
 * {@code @Order}.
 */
@FunctionalInterface
public interface SchedulerCustomizer {
    /**
     * Changes the settings.
     *
     * @param builder after the properties and the other beans
     */
    void customize(SchedulerBuilder builder);
}
