package dev.almanac.console;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import dev.almanac.Groups;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.Rate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sizes and rates of exclusive groups that a file declares; other groups are left as they are. */
final class DeclaredGroups {
    private static final List<String> FIELDS = List.of("size", "rate");

    private DeclaredGroups() {}

    /** @param problems receives the problems */
    static Map<String, GroupLimits> read(ConfigValue given, List<String> problems) {
        Map<String, GroupLimits> groups = new LinkedHashMap<>();
        if (!(given instanceof ConfigObject object)) {
            problems.add("almanac.groups is no object; write groups { bank-api { size = 5, rate = \"10/s\" } }");
            return groups;
        }
        object.forEach((name, value) -> {
            try {
                groups.put(name, limits(value));
            } catch (IllegalArgumentException e) {
                int line = value.origin().lineNumber();
                problems.add((line < 1 ? "" : "line " + line + ": ") + "group '" + name + "': " + e.getMessage());
            }
        });
        return groups;
    }

    private static GroupLimits limits(ConfigValue value) {
        if (!(value instanceof ConfigObject fields)) {
            throw new IllegalArgumentException("expected { size = 5, rate = \"10/s\" }");
        }
        for (String field : fields.keySet()) {
            if (!FIELDS.contains(field)) {
                throw new IllegalArgumentException(field + " is not known; known are " + String.join(", ", FIELDS));
            }
        }
        Object size = fields.containsKey("size") ? fields.get("size").unwrapped() : 1;
        Object rate = fields.containsKey("rate") ? fields.get("rate").unwrapped() : null;
        try {
            return new GroupLimits(
                    Integer.parseInt(String.valueOf(size)), rate == null ? null : Rate.parse(String.valueOf(rate)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the size '" + size + "' is no whole number");
        }
    }

    /** Stores those that differ; many nodes may do so at once. */
    static void put(Groups groups, Map<String, GroupLimits> declared) {
        declared.forEach(groups::put);
    }
}
