package dev.almanac.console.groups;

import dev.almanac.Groups;
import dev.almanac.console.terminal.Nearest;
import dev.almanac.console.terminal.NotFoundException;
import dev.almanac.model.Rate;
import dev.almanac.store.StoredGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A group as commands show it. */
final class GroupAnswer {
    private GroupAnswer() {}

    /** @throws NotFoundException if there is none; suggests similar names */
    static StoredGroup get(Groups groups, String name) {
        return groups.get(name).orElseThrow(() -> unknown(groups, name));
    }

    private static NotFoundException unknown(Groups groups, String name) {
        List<String> names = groups.list().stream().map(StoredGroup::name).toList();
        return new NotFoundException("group '" + name + "' has no stored limits, so one of its jobs runs at a time"
                + Nearest.word(name, names)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(""));
    }

    static Map<String, Object> of(StoredGroup group) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("group", group.name());
        if (group.damage() != null) {
            answer.put("damage", group.damage());
            return answer;
        }
        Rate rate = group.limits().rate();
        answer.put("size", group.limits().size());
        if (rate != null) {
            answer.put("rate", rate.toString());
        }
        answer.put("version", group.version());
        answer.put("latestUpdate", group.latestUpdate().toString());
        answer.put("author", group.author());
        return answer;
    }

    static String rate(StoredGroup group) {
        Rate rate = group.limits().rate();
        return rate == null ? "-" : rate.toString();
    }
}
