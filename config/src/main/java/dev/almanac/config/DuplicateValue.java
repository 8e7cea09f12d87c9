package dev.almanac.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.parser.ConfigDocument;
import com.typesafe.config.parser.ConfigDocumentFactory;
import java.nio.file.Path;

/** Finds a value that a file gives twice. HOCON silently keeps the last one, which is no good for a list of jobs. */
final class DuplicateValue {
    private static final String MARK = "\"the-place-of-the-value-that-is-kept\"";

    private DuplicateValue() {}

    /** @throws ConfigException if the file is not well-formed */
    static boolean isTwice(Path file, String path) {
        ConfigDocument document = ConfigDocumentFactory.parseFile(file.toFile());
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

    private static boolean isOneValue(String text) {
        try {
            Config alone = ConfigFactory.parseString("value = " + text);
            return alone.root().size() == 1;
        } catch (ConfigException severalValues) {
            return false;
        }
    }
}
