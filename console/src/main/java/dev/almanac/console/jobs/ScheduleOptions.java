package dev.almanac.console.jobs;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that describe a job: one for each {@link JobField}. */
final class ScheduleOptions {
    private ScheduleOptions() {}

    /** For a mixin. */
    static CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        for (JobField field : JobField.values()) {
            spec.addOption(field.optionSpec());
        }
        return spec;
    }

    /** What was given, by the names that {@link JobReader} reads. */
    static Map<String, Object> values(CommandSpec spec) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (JobField field : JobField.values()) {
            OptionSpec option = spec.findOption(field.option());
            Object value = option.getValue();
            if (value != null && !Boolean.FALSE.equals(value)) {
                values.put(field.given(), value);
            }
        }
        return values;
    }
}
