package dev.almanac.console;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.config.ConfigProblem;
import dev.almanac.config.InvalidConfigException;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.Rate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file of declared jobs, HOCON or JSON, under the prefix {@code almanac}.
 *
 * @param name of the file, for complaints
 * @param application the tag of all its jobs
 * @param jobs what it declares, in its order
 * @param groups sizes and rates of exclusive groups
 * @param settings what else it says below the prefix; absent = something of it is wrong
 * @param problems what is wrong with the file by itself, a line for each; with any, nothing of it may be used
 */
record JobsFile(
        String name,
        String application,
        List<Declared> jobs,
        Map<String, GroupLimits> groups,
        @Nullable AlmanacConfig settings,
        List<String> problems) {
    private static final String PREFIX = "almanac";
    private static final String APPLICATION = "application";
    private static final String JOBS = "jobs";
    private static final String GROUPS = "groups";
    /** How each complaint begins that the file does not say whose its jobs are; a place may stand before it. */
    private static final String NAMELESS = "almanac.application is ";

    /** Whether it does not say whose its jobs are. */
    boolean isNameless() {
        return problems.stream().anyMatch(problem -> problem.contains(NAMELESS));
    }

    /**
     * One declared job.
     *
     * @param line where it begins, with the name of a file that is included; empty = not known
     * @param values by the names that {@link JobReader} reads
     */
    record Declared(String line, Map<String, Object> values) {
        String key() {
            return String.valueOf(values.getOrDefault("key", ""));
        }

        /** Line and key of the job, for messages. */
        String place() {
            return (line.isEmpty() ? "" : line + ", ")
                    + (key().isEmpty() ? "a job without key: " : "job '" + key() + "': ");
        }
    }

    /**
     * Reads what the file declares, with its problems, beside which its jobs can be checked.
     *
     * @throws InvalidInputException if it cannot be read, or declares no jobs
     */
    static JobsFile read(Path file) {
        return new Reading(file).read(parse(file, PREFIX + "." + JOBS, PREFIX + "." + APPLICATION));
    }

    /**
     * Reads any file of HOCON or JSON.
     *
     * @param once paths that may be given only once
     * @throws InvalidInputException if it cannot be read
     */
    static Config parse(Path file, String... once) {
        refuseUnreadable(file);
        try {
            return AlmanacConfig.parse(file, once);
        } catch (InvalidConfigException e) {
            String all = e.problems().stream().map(ConfigProblem::toString).collect(Collectors.joining("\n  "));
            throw new InvalidInputException("the file was refused, nothing was written: " + all, e);
        }
    }

    static void refuseUnreadable(Path file) {
        InvalidInputException.when(
                !Files.isReadable(file) || Files.isDirectory(file),
                "the file " + file + (Files.exists(file) ? " cannot be read" : " does not exist"));
    }

    /** Reads one file and collects its problems. */
    private static final class Reading {
        private static final Pattern LINE = Pattern.compile("(.*):(\\d+)");

        private final Path folder;
        private final String name;
        private final List<String> problems = new ArrayList<>();

        private Reading(Path file) {
            this.folder = file.toAbsolutePath().normalize().getParent();
            this.name = String.valueOf(file.getFileName());
        }

        private JobsFile read(Config config) {
            Object under = config.root().get(PREFIX);
            if (!(under instanceof ConfigObject almanac)) {
                throw new InvalidInputException(
                        name + " declares no jobs; write almanac { application = billing, jobs = [ ... ] }");
            }
            @Nullable AlmanacConfig settings = settings(config);
            String application = application(almanac);
            List<Declared> jobs = new ArrayList<>();
            if (almanac.get(JOBS) instanceof ConfigList list) {
                ZoneId zone = settings == null ? null : settings.zone();
                list.forEach(item -> declared(item, application, zone, jobs));
            } else {
                problems.add("almanac.jobs is no list; write jobs = [ { key = a, ... }, { key = b, ... } ]");
            }
            twice(jobs);
            Map<String, GroupLimits> groups = almanac.get(GROUPS) == null ? Map.of() : groups(almanac.get(GROUPS));
            return new JobsFile(name, application, jobs, groups, settings, problems);
        }

        /** The settings in the file: all but application, jobs and groups. Absent if something is wrong with them. */
        private @Nullable AlmanacConfig settings(Config config) {
            Config rest = config.withOnlyPath(PREFIX)
                    .withoutPath(PREFIX + "." + APPLICATION)
                    .withoutPath(PREFIX + "." + GROUPS)
                    .withoutPath(PREFIX + "." + JOBS);
            try {
                return AlmanacConfig.read(rest);
            } catch (InvalidConfigException e) {
                e.problems().forEach(problem -> problems.add(setting(problem)));
                return null;
            }
        }

        private String setting(ConfigProblem problem) {
            Matcher line = LINE.matcher(problem.place());
            String place = line.matches() ? line(line.group(1), Integer.parseInt(line.group(2))) : problem.place();
            String field = problem.path().substring(problem.path().lastIndexOf('.') + 1);
            return Nearest.word(field, List.of(APPLICATION, JOBS, GROUPS))
                    .map(word ->
                            place + ": " + problem.path() + " is not known; did you mean " + PREFIX + "." + word + "?")
                    .orElseGet(() ->
                            place + problem.toString().substring(problem.place().length()));
        }

        private String application(ConfigObject almanac) {
            ConfigValue value = almanac.get(APPLICATION);
            if (value == null || value.valueType() == ConfigValueType.NULL) {
                problems.add(NAMELESS + "missing: the tag that marks the jobs of this file");
            } else if (value.valueType() != ConfigValueType.STRING) {
                problems.add(place(value) + NAMELESS + "no text; write application = \"billing\"");
            } else if (value.unwrapped().toString().isBlank()) {
                problems.add(place(value) + NAMELESS + "empty; it is the tag that marks the jobs of this file");
            } else {
                return value.unwrapped().toString();
            }
            // the jobs are checked as if there was one
            return APPLICATION;
        }

        private void declared(ConfigValue item, String application, @Nullable ZoneId zone, List<Declared> jobs) {
            if (!(item instanceof ConfigObject job)) {
                problems.add(place(item) + "is no job; write { key = a, cron = \"0 0 12 * * ?\", ... }");
                return;
            }
            List<String> known = JobField.names().stream()
                    .filter(name -> !name.equals(APPLICATION))
                    .toList();
            job.forEach((field, value) -> {
                if (!known.contains(field)) {
                    String meant = Nearest.meant(field, known);
                    problems.add(place(value) + field + " is not known"
                            + (meant.isEmpty() ? "; known are " + String.join(", ", known) : meant));
                }
            });
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("requestor", application);
            if (job.get("key") != null) {
                values.put("id", String.valueOf(AlmanacConfig.written(job.get("key"))));
            }
            values.putAll(fields(job));
            values.put(APPLICATION, application);
            values.values().removeIf(value -> value == null);
            if (zone != null) {
                values.putIfAbsent("zone", zone.getId());
            }
            jobs.add(new Declared(line(item), values));
        }

        /** Of a job, or of one that follows it; what is null is left out. */
        private static Map<String, Object> fields(ConfigObject job) {
            Map<String, Object> fields = new LinkedHashMap<>();
            job.forEach((field, value) -> {
                Object read = JobField.isOfJobs(field) ? followUps(value) : AlmanacConfig.written(value);
                if (read != null) {
                    fields.put(field, read);
                }
            });
            return fields;
        }

        private static @Nullable Object followUps(ConfigValue value) {
            if (value instanceof ConfigList jobs) {
                return jobs.stream().map(Reading::followUps).toList();
            }
            return value instanceof ConfigObject job ? fields(job) : AlmanacConfig.written(value);
        }

        private Map<String, GroupLimits> groups(ConfigValue given) {
            Map<String, GroupLimits> groups = new LinkedHashMap<>();
            if (!(given instanceof ConfigObject object)) {
                problems.add("almanac.groups is no object; write groups { bank-api { size = 5, rate = \"10/s\" } }");
                return groups;
            }
            object.forEach((name, value) -> {
                try {
                    groups.put(name, limits(value));
                } catch (IllegalArgumentException e) {
                    problems.add(place(value) + "group '" + name + "': " + e.getMessage());
                }
            });
            return groups;
        }

        private static GroupLimits limits(ConfigValue value) {
            if (!(value instanceof ConfigObject fields)) {
                throw new IllegalArgumentException("expected { size = 5, rate = \"10/s\" }");
            }
            for (String field : fields.keySet()) {
                if (!List.of("size", "rate").contains(field)) {
                    throw new IllegalArgumentException(field + " is not known; known are size, rate");
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

        private void twice(List<Declared> jobs) {
            Map<String, String> lines = new LinkedHashMap<>();
            for (Declared job : jobs) {
                String first = lines.putIfAbsent(job.key(), job.line());
                if (first != null && job.values().containsKey("key")) {
                    problems.add((job.line().isEmpty() ? "" : job.line() + ": ") + "the key '" + job.key()
                            + "' is that of " + (first.isEmpty() ? "another job" : first) + ", too");
                }
            }
        }

        private String place(ConfigValue value) {
            String line = line(value);
            return line.isEmpty() ? "" : line + ": ";
        }

        private String line(ConfigValue value) {
            Matcher place = LINE.matcher(AlmanacConfig.place(value));
            return place.matches() ? line(place.group(1), Integer.parseInt(place.group(2))) : "";
        }

        /** With the name of the file if it is not the one that is read, but one that this includes. */
        private String line(String file, int number) {
            String from = folder.relativize(Path.of(file).toAbsolutePath().normalize())
                    .toString();
            return (from.equals(name) ? "" : from + ", ") + "line " + number;
        }
    }
}
