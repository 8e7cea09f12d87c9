package dev.almanac.web.page;

import dev.almanac.model.EncodedCommand;
import dev.almanac.web.text.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A value as it is stored, to be unfolded.
 *
 * @param name within the value around it; absent at the top and in lists
 * @param text a plain value; absent for what has parts
 * @param isString whether it is to be quoted
 * @param parts of an object or a list
 * @param summary the text shown while the parts are folded
 */
record JsonTree(@Nullable String name, @Nullable String text, boolean isString, List<JsonTree> parts, String summary) {
    private static final int MOST_PARTS = 200;
    private static final int DEEPEST = 12;
    private static final int LONGEST = 4_000;

    private static final int LONGEST_TEXT = 65_536;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** The body as one text, in which every character can be seen; absent if it is too large for a page. */
    static @Nullable String text(EncodedCommand command) {
        String json = MAPPER.writeValueAsString(command.body());
        return json.length() > LONGEST_TEXT ? null : VisibleText.escaped(json);
    }

    static JsonTree of(EncodedCommand command) {
        return of(null, command.body(), 0);
    }

    static JsonTree of(@Nullable String name, @Nullable Object value, int depth) {
        if (depth >= DEEPEST) {
            return plain(name, "… (deeper levels are not shown)", false);
        }
        List<JsonTree> parts = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.entrySet().stream()
                    .limit(MOST_PARTS)
                    .forEach(e ->
                            parts.add(of(VisibleText.cut(String.valueOf(e.getKey()), 200), e.getValue(), depth + 1)));
            cut(parts, map.size(), "fields");
            return new JsonTree(name, null, false, parts, "{ " + map.size() + " fields }");
        }
        if (value instanceof List<?> list) {
            list.stream().limit(MOST_PARTS).forEach(item -> parts.add(of(null, item, depth + 1)));
            cut(parts, list.size(), "items");
            return new JsonTree(name, null, false, parts, "[ " + list.size() + " items ]");
        }
        return plain(name, String.valueOf(value), value instanceof String);
    }

    private static void cut(List<JsonTree> parts, int all, String what) {
        if (all > MOST_PARTS) {
            parts.add(plain(null, "… (" + (all - MOST_PARTS) + " more " + what + ")", false));
        }
    }

    private static JsonTree plain(@Nullable String name, String text, boolean isString) {
        return new JsonTree(name, VisibleText.cut(text, LONGEST), isString, List.of(), "");
    }
}
