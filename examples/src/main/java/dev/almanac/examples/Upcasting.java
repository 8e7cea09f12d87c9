package dev.almanac.examples;

import dev.almanac.helper.CommandType;
import dev.almanac.model.SchedulingCommand;
import java.util.LinkedHashMap;
import java.util.Map;

/** A command whose layout has changed: bodies in the old layout are converted when they are read. */
public final class Upcasting {
    private Upcasting() {}

    /** In version 1 the customer was called client. */
    public record SendReminder(String customer) implements SchedulingCommand {}

    /** Version 2, with the conversion from version 1; to be given to the builder's {@code command}. */
    public static CommandType<SendReminder> sendReminder() {
        // snippet: upcaster
        return new CommandType<>("send-reminder", 2, SendReminder.class, Map.of(1, body -> {
            Map<String, Object> newer = new LinkedHashMap<>(body);
            newer.put("customer", newer.remove("client"));
            return newer;
        }));
        // end
    }
}
