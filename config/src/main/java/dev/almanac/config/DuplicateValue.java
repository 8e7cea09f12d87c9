package dev.almanac.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.parser.ConfigDocument;
import com.typesafe.config.parser.ConfigDocumentFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Finds a value that a file, or it and what it includes, gives twice. HOCON silently keeps the last one, which is no good for a
 * list of jobs.
 */
final class DuplicateValue {
    private static final String MARK = "\"the-place-of-the-value-that-is-kept\"";

    private DuplicateValue() {}

    /** @throws ConfigException if the file is not well-formed */
    static boolean isTwice(Path file, String text, String path) {
        ConfigDocument document = ConfigDocumentFactory.parseString(text, LocalIncludes.options(file));
        if (!document.hasPath(path)) {
            return false;
        }
        String whole = document.render();
        // the last value is replaced, all earlier ones are left out
        String marked = document.withValueText(path, MARK).render();
        String before = marked.substring(0, marked.indexOf(MARK));
        String after = marked.substring(marked.indexOf(MARK) + MARK.length());
        if (!whole.startsWith(before) || !whole.endsWith(after) || whole.length() < before.length() + after.length()) {
            return true;
        }
        return !isOneValue(whole.substring(before.length(), whole.length() - after.length()));
    }

    /**
     * Whether a file gives items of a list that the whole, of which it is a part, does not have; also if that cannot be told.
     *
     * @param path of the list
     * @param included whether others include the file, perhaps within one of the sections of the path
     */
    static boolean isLost(Path file, String text, String path, boolean included, Config whole) {
        List<String> names = ConfigUtil.splitPath(path);
        try {
            // it may refer to values of the others
            Config own = LocalIncludes.alone(file, text)
                    .withFallback(whole)
                    .resolve(ConfigResolveOptions.noSystem().setAllowUnresolved(true));
            for (int from = 0; from < (included ? names.size() : 1); from++) {
                List<String> below = names.subList(from, names.size());
                List<ConfigValue> items = items(own, below, file);
                if (!areAllIn(items(whole, names, file), items) && !areAllIn(items(whole, below, file), items)) {
                    return true;
                }
            }
            return false;
        } catch (ConfigException unresolved) {
            return true;
        }
    }

    /** The items of a list that are from a file. */
    private static List<ConfigValue> items(Config config, List<String> names, Path file) {
        ConfigValue value = config.root();
        for (String name : names) {
            value = value instanceof ConfigObject section ? section.get(name) : null;
        }
        return !(value instanceof ConfigList list)
                ? List.of()
                : list.stream()
                        .filter(item -> {
                            String name = ValueOrigin.file(item.origin());
                            return name != null && isSame(Path.of(name), file);
                        })
                        .toList();
    }

    private static boolean areAllIn(List<ConfigValue> whole, List<ConfigValue> items) {
        return items.stream().allMatch(item -> whole.stream().anyMatch(other -> has(other, item)));
    }

    /** Whether it is the item of that line, which may have more from an include within it. */
    private static boolean has(ConfigValue whole, ConfigValue item) {
        boolean more = whole instanceof ConfigObject object
                && item instanceof ConfigObject part
                && object.unwrapped().entrySet().containsAll(part.unwrapped().entrySet());
        return whole.origin().lineNumber() == item.origin().lineNumber()
                && (more || Objects.equals(whole.unwrapped(), item.unwrapped()));
    }

    private static boolean isSame(Path one, Path other) {
        return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }

    private static boolean isOneValue(String text) {
        try {
            Config alone = LocalIncludes.alone(Path.of("value.conf"), "value = " + text);
            return alone.root().size() == 1;
        } catch (ConfigException severalValues) {
            return false;
        }
    }
}
