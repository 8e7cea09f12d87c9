package dev.almanac.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.text.TextFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From sources to {@link AlmanacConfig}. */
final class ConfigFiles {
    /** HOCON's own words quote the file, and the file may hold a password. */
    private static final String MALFORMED = "is not well-formed HOCON; braces, brackets and quotes are closed, no "
            + "field stands twice in an object of JSON, and a text with one of : = , + # ? ! @ * & // stands in double quotes";

    private static final String URI_ONLY = "variables of the environment are read for almanac.store.uri only";

    private static final String UNRESOLVED =
            "a ${substitution} has no value; ${?name} is one that may be absent; " + URI_ONLY;

    private static final String URI = AlmanacConfig.PREFIX + ".store.uri";

    /** In bytes: 100 000 declared jobs fit. More would be read into memory before they could be refused. */
    private static final int LARGEST = 16 * 1024 * 1024;

    private ConfigFiles() {}

    /**
     * What a file says.
     *
     * @throws InvalidConfigException if it cannot be read, is too large, or is not UTF-8
     */
    static String text(Path file) {
        String place = file.toString();
        try {
            return TextFile.read(file, LARGEST);
        } catch (TextFile.TooLargeException e) {
            throw refused("", place, "is larger than 16 MiB; name a file in HOCON or JSON");
        } catch (TextFile.NotUtf8Exception e) {
            throw refused("", place + ":" + e.line(), "is not UTF-8; store the file as UTF-8");
        } catch (IOException e) {
            throw refused("", place, "cannot be read; name a file in HOCON or JSON");
        }
    }

    static AlmanacConfig defaults() {
        return read(ConfigFactory.empty());
    }

    static AlmanacConfig read(Path file) {
        Config config = parse(file);
        if (!config.root().containsKey(AlmanacConfig.PREFIX)) {
            String near = NearestKey.nearest(AlmanacConfig.PREFIX, config.root().keySet())
                    .map(name -> "; did you mean it by '" + name + "'?")
                    .orElse("");
            throw refused(AlmanacConfig.PREFIX, file.toString(), "there is no such section" + near);
        }
        return read(config);
    }

    static Config parse(Path file, String... once) {
        String place = file.toString();
        LocalIncludes includes = new LocalIncludes(file);
        try {
            Config config = resolved(includes.parse(), place);
            Map<Path, String> texts = includes.texts();
            List<ConfigProblem> lost = new ArrayList<>();
            for (String path : once) {
                if (DuplicateValue.isTwice(file, texts.get(file), path)) {
                    String text = "is given twice; the first would be lost; write it once";
                    lost.add(new ConfigProblem(path, null, place, text));
                    continue;
                }
                for (Map.Entry<Path, String> read : texts.entrySet()) {
                    Path one = read.getKey();
                    if (DuplicateValue.isLost(one, read.getValue(), path, !one.equals(file), config)) {
                        String text = "is given in several files: what " + one.getFileName()
                                + " has of it would be lost; write += in place of = where it is given again";
                        lost.add(new ConfigProblem(path, null, place, text));
                    }
                }
            }
            if (!lost.isEmpty()) {
                throw new InvalidConfigException(lost);
            }
            return config;
        } catch (ConfigException.UnresolvedSubstitution e) {
            throw refused("", place(e, place), UNRESOLVED);
        } catch (ConfigException e) {
            throw refused("", place(e, place), MALFORMED);
        }
    }

    /** Variables of the environment are secrets of the process: they come into the one setting that documents it. */
    private static Config resolved(Config file, String place) {
        ConfigResolveOptions open = ConfigResolveOptions.defaults().setAllowUnresolved(true);
        ConfigValue uri = at(file.resolve(open).root(), AlmanacConfig.PREFIX, "store", "uri");
        Config others = uri == null ? file : file.withoutPath(URI);
        Config closed = others.resolve(ConfigResolveOptions.noSystem());
        refuseDropped(closed, others.resolve(), place);
        return uri == null ? closed : closed.withValue(URI, uri);
    }

    /** An optional variable that is set, and is not read: its setting would be as if it was not. */
    private static void refuseDropped(Config closed, Config open, String place) {
        boolean settings = closed.hasPath(AlmanacConfig.PREFIX);
        List<ConfigProblem> dropped = open.entrySet().stream()
                .filter(entry -> !settings || entry.getKey().startsWith(AlmanacConfig.PREFIX + "."))
                .filter(entry -> !entry.getKey().equals(URI))
                .filter(entry -> !closed.hasPath(entry.getKey())
                        || !closed.getValue(entry.getKey()).equals(entry.getValue()))
                .map(entry -> new ConfigProblem(
                        entry.getKey(), null, place, "has a variable that would be left out: " + URI_ONLY))
                .sorted(Comparator.comparing(ConfigProblem::path))
                .toList();
        if (!dropped.isEmpty()) {
            throw new InvalidConfigException(dropped);
        }
    }

    /** A resolved value; absent if it or an enclosing object is not resolved. */
    private static @Nullable ConfigValue at(ConfigObject root, String... path) {
        try {
            ConfigValue value = root;
            for (String name : path) {
                value = value instanceof ConfigObject section ? section.get(name) : null;
            }
            return value == null || value.valueType() == ConfigValueType.NULL ? null : value;
        } catch (ConfigException.NotResolved e) {
            return null;
        }
    }

    static AlmanacConfig read(Config config) {
        try {
            ConfigValue root = config.resolve().root().get(AlmanacConfig.PREFIX);
            if (root == null || root instanceof ConfigObject) {
                return read(root == null ? ConfigFactory.empty().root() : (ConfigObject) root);
            }
            throw refused(AlmanacConfig.PREFIX, ValueOrigin.of(root.origin()), "expected a section in braces");
        } catch (ConfigException.UnresolvedSubstitution e) {
            String place = place(e, config.origin().description());
            throw refused("", place, "a ${substitution} has no value; ${?name} is one that may be absent");
        } catch (ConfigException e) {
            throw refused("", place(e, config.origin().description()), MALFORMED);
        }
    }

    private static AlmanacConfig read(ConfigObject section) {
        ConfigReader reader = KnownKeys.checked(new ConfigReader(section));
        SchedulerSettings settings = SchedulerKeys.read(reader);
        ConfigDraft draft = ServiceKeys.read(reader);
        Map<String, CalendarDefinition> calendars = CalendarSection.readAll(reader);
        Map<String, Integer> limits = TypeLimits.read(reader);
        Map<String, TypeDefaults> defaults = TypeDefaultsSection.read(reader);
        if (!reader.problems().isEmpty()) {
            throw new InvalidConfigException(reader.problems());
        }
        return new AlmanacConfig(
                settings,
                draft.retention(),
                draft.store(),
                draft.uri,
                draft.zone,
                draft.serviceName,
                draft.label,
                draft.defaultCalendar,
                calendars,
                limits,
                defaults,
                draft.drainTimeout,
                draft.ignoreTransactions,
                draft.reconcile,
                draft.release);
    }

    private static String place(ConfigException e, String otherwise) {
        ConfigOrigin origin = e.origin();
        return origin == null ? otherwise : ValueOrigin.of(origin);
    }

    private static InvalidConfigException refused(String path, String place, String expected) {
        return new InvalidConfigException(List.of(new ConfigProblem(path, null, place, expected)));
    }
}
