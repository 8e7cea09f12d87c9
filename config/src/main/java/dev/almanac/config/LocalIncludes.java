package dev.almanac.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseable;
import dev.almanac.text.Printable;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Restricts includes to the file's own folder and below: a file that is read at a start must not make the process
 * contact a server, or show other files of the machine.
 */
final class LocalIncludes implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
    private static final String ONLY = "is not read; only files in the folder of the file and below are included";

    private final Path given;
    private final boolean reads;
    private final Set<Path> read = new LinkedHashSet<>();

    /**
     * @param given the file that includes others
     * @param reads whether these are read; else they are left out
     */
    LocalIncludes(Path given, boolean reads) {
        this.given = given;
        this.reads = reads;
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
        ConfigParseable found = context.relativeTo(what);
        if (found == null || found.origin().filename() == null) {
            if (context.parseOptions().getAllowMissing()) {
                return ConfigFactory.empty().root();
            }
            throw refused(what, "is not there");
        }
        if (!isBelow(found.origin().filename())) {
            throw refused(what, ONLY);
        }
        if (ConfigFiles.isTooLarge(Path.of(found.origin().filename()))) {
            throw refused(what, ConfigFiles.TOO_LARGE);
        }
        read.add(Path.of(found.origin().filename()));
        return found.parse(context.parseOptions());
    }

    /** The file and those that were included, each once. */
    List<Path> files() {
        return Stream.concat(Stream.of(given), read.stream()).toList();
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

    private boolean isBelow(String file) {
        try {
            return Path.of(file).toRealPath().startsWith(given.toRealPath().getParent());
        } catch (IOException e) {
            return false;
        }
    }

    private InvalidConfigException refused(String what, String why) {
        String include = "include " + Printable.value(what);
        return new InvalidConfigException(List.of(new ConfigProblem(include, null, given.toString(), why)));
    }
}
