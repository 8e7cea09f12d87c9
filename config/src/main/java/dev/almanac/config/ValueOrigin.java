package dev.almanac.config;

import com.typesafe.config.ConfigOrigin;

/** Where a value was written, for people. */
final class ValueOrigin {
    private ValueOrigin() {}

    /** File or resource with line; otherwise what HOCON calls the source. */
    static String of(ConfigOrigin origin) {
        String file = origin.filename() != null ? origin.filename() : origin.resource();
        if (file == null) {
            return origin.description();
        }
        return origin.lineNumber() > 0 ? file + ":" + origin.lineNumber() : file;
    }
}
