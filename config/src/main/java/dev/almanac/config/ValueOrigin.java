package dev.almanac.config;

import com.typesafe.config.ConfigOrigin;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a value was written, for people. */
final class ValueOrigin {
    private static final String FILE = "file:";

    /** HOCON puts the lines behind the description. */
    private static final Pattern DESCRIBED = Pattern.compile(FILE + "(.*?)(: \\d+(-\\d+)?)?");

    private ValueOrigin() {}

    /** The description of values that are parsed from the text of a file, which HOCON does not know. */
    static String description(Path file) {
        return FILE + file;
    }

    /** File or resource with line; otherwise what HOCON calls the source. */
    static String of(ConfigOrigin origin) {
        String file = file(origin) != null ? file(origin) : origin.resource();
        if (file == null) {
            return origin.description().replace(FILE, "");
        }
        return origin.lineNumber() > 0 ? file + ":" + origin.lineNumber() : file;
    }

    /** The file that the value is from; absent if it is from elsewhere, or from several. */
    static @Nullable String file(ConfigOrigin origin) {
        Matcher described = DESCRIBED.matcher(origin.description());
        return described.matches() ? described.group(1) : origin.filename();
    }
}
