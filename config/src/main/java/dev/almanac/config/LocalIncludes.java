package dev.almanac.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import dev.almanac.text.Printable;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a file with those that it includes. Restricts includes to the file's own folder and below: a file that is read at a
 * start must not make the process contact a server, or show other files of the machine. Reads each file once, as text:
 * HOCON by itself would put another character in place of what is not UTF-8.
 */
final class LocalIncludes implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    private static final String ONLY = "is not read; only files in the folder of the file and below are included";

    /** Through how many files a file may be included. */
    private static final int DEEPEST = 50;

    private final Path given;
    private final Path from;
    private final int depth;
    private final boolean reads;
    private final Map<Path, String> texts;

    /** @param given the file that includes others */
    LocalIncludes(Path given) {
        this(given, given, 0, true, new LinkedHashMap<>());
    }

    /**
     * The text of a file that was read, without what it includes; not resolved.
     *
     * @throws ConfigException if it is not well-formed
     */
    static Config alone(Path file, String text) {
        return new LocalIncludes(file, file, 0, false, Map.of(file, text)).parse();
    }

    /**
     * @param from the file that includes others; the given one, or one that this includes
     * @param depth through how many files it is included
     * @param reads whether others are read; else they are left out
     * @param texts of all files that were read
     */
    private LocalIncludes(Path given, Path from, int depth, boolean reads, Map<Path, String> texts) {
        this.given = given;
        this.from = from;
        this.depth = depth;
        this.reads = reads;
        this.texts = texts;
    }

    /**
     * The file and what it includes, not resolved.
     *
     * @throws InvalidConfigException if one of them is not read
     */
    Config parse() {
        String text = texts.get(from);
        if (text == null) {
            text = ConfigFiles.text(from);
            texts.put(from, text);
        }
        return ConfigFactory.parseString(text, options(from).setIncluder(this));
    }

    /** How the text of a file is parsed: its values say that they are from there. */
    static ConfigParseOptions options(Path file) {
        return ConfigParseOptions.defaults()
                .setSyntaxFromFilename(file.toString())
                .setOriginDescription(ValueOrigin.description(file));
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String what) {
        if (!reads) {
            return ConfigFactory.empty().root();
        }
        if (what.contains("://")) {
            throw refused("url(...)", ONLY);
        }
        Path file;
        try {
            file = from.resolveSibling(what);
        } catch (InvalidPathException e) {
            throw refused(what, "is no name of a file here");
        }
        if (!Files.exists(file)) {
            if (context.parseOptions().getAllowMissing()) {
                return ConfigFactory.empty().root();
            }
            throw refused(what, "is not there");
        }
        if (!isBelow(file)) {
            throw refused(what, ONLY);
        }
        if (depth == DEEPEST) {
            throw refused(what, "is not read through more than " + DEEPEST + " files; do they include each other?");
        }
        return new LocalIncludes(given, file, depth + 1, true, texts).parse().root();
    }

    /** The texts of the file and of those that were included, each once. */
    Map<Path, String> texts() {
        return texts;
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File what) {
        return include(context, what.getPath());
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
        throw refused("url(...)", ONLY);
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String what) {
        throw refused(what, ONLY);
    }

    private boolean isBelow(Path file) {
        try {
            return file.toRealPath().startsWith(given.toRealPath().getParent());
        } catch (IOException e) {
            return false;
        }
    }

    private InvalidConfigException refused(String what, String why) {
        String include = "include " + Printable.value(what);
        return new InvalidConfigException(List.of(new ConfigProblem(include, null, given.toString(), why)));
    }
}
