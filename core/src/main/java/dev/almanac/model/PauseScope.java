package dev.almanac.model;

import dev.almanac.text.Printable;
import java.util.regex.Pattern;

/**
 * The scope of a pause: one job; all jobs of a kind, including those that are scheduled later; or a node, which is then
 * on standby: it claims nothing, other nodes do. Immutable.
 */
public sealed interface PauseScope {
    /** What is paused, such as {@code every job with tag night}. */
    String words();

    /**
     * The command that ends a pause of this, such as {@code almanac jobs resume --tag night}. A name that a POSIX shell
     * would not take as one word is in single quotes; one that begins with a dash stands last, behind {@code --}.
     *
     * @param options more of them, each with its value, as one text
     */
    String resumeCommand(String... options);

    /** One live job. */
    record Job(String key) implements PauseScope {
        /** The scope must name the job. */
        public Job {
            require(key, "key");
        }

        @Override
        public String words() {
            return key;
        }

        @Override
        public String resumeCommand(String... options) {
            return command("almanac jobs resume", key, options);
        }

        @Override
        public String toString() {
            return "job:" + key;
        }
    }

    /** All jobs that carry a tag. */
    record Tag(String tag) implements PauseScope {
        /** The scope must name the tag. */
        public Tag {
            require(tag, "tag");
        }

        @Override
        public String words() {
            return "every job with tag " + tag;
        }

        @Override
        public String resumeCommand(String... options) {
            return with("almanac jobs resume " + option("--tag", tag), options);
        }

        @Override
        public String toString() {
            return "tag:" + tag;
        }
    }

    /** All jobs whose present command is of this registered type. */
    record CommandType(String type) implements PauseScope {
        /** The scope must name the type. */
        public CommandType {
            require(type, "type");
        }

        @Override
        public String words() {
            return "every job of type " + type;
        }

        @Override
        public String resumeCommand(String... options) {
            return with("almanac jobs resume " + option("--type", type), options);
        }

        @Override
        public String toString() {
            return "type:" + type;
        }
    }

    /** One node, or all of a label: it claims nothing; runs in progress are renewed and finished. */
    record Node(String name) implements PauseScope {
        private static final Pattern CHANGES = Pattern.compile("(?<=^[0-9a-f]{24})\\.[0-9]+$");

        /** The scope must name the node. */
        public Node {
            require(name, "node");
        }

        /** Whether it is this node, by its label, or by any id that its process has had (rule N14). */
        public boolean is(String id, String label) {
            return name.equals(label) || name.equals(id) || process(name).equals(process(id));
        }

        /** A node that goes on under another identity has the id of its process with a number. */
        private static String process(String id) {
            return CHANGES.matcher(id).replaceFirst("");
        }

        @Override
        public String words() {
            return "node " + name;
        }

        @Override
        public String resumeCommand(String... options) {
            return command("almanac nodes resume", name, options);
        }

        @Override
        public String toString() {
            return "node:" + name;
        }
    }

    /** All jobs. */
    record Everything() implements PauseScope {
        @Override
        public String words() {
            return "every job";
        }

        @Override
        public String resumeCommand(String... options) {
            return with("almanac jobs resume --all", options);
        }

        @Override
        public String toString() {
            return "everything";
        }
    }

    /** One live job. */
    static PauseScope job(String key) {
        return new Job(key);
    }

    /** All jobs that carry a tag. */
    static PauseScope tag(String tag) {
        return new Tag(tag);
    }

    /** All jobs whose present command is of this registered type. */
    static PauseScope commandType(String type) {
        return new CommandType(type);
    }

    /** One node, by its id, or all of a label. */
    static PauseScope node(String idOrLabel) {
        return new Node(idOrLabel);
    }

    /** All jobs. */
    static PauseScope everything() {
        return new Everything();
    }

    /**
     * Reads the text that {@link Object#toString} gives: {@code job:KEY}, {@code tag:TAG}, {@code type:TYPE},
     * {@code node:ID} or {@code everything}.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    static PauseScope parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1);
        return switch (kind) {
            case "job" -> job(name);
            case "tag" -> tag(name);
            case "type" -> commandType(name);
            case "node" -> node(name);
            case "everything" -> everything();
            default ->
                throw new IllegalArgumentException("'" + text
                        + "' is no scope of a pause; write job:KEY, tag:TAG, type:TYPE, node:ID or everything");
        };
    }

    private static String command(String command, String name, String... options) {
        return isPlain(name) ? with(command + " " + name, options) : Printable.command(command, name, options);
    }

    private static String with(String command, String... options) {
        return options.length == 0 ? command : command + " " + String.join(" ", options);
    }

    private static String option(String option, String value) {
        return isPlain(value) ? option + " " + value : Printable.option(option, value);
    }

    /** Whether it needs no quotes in a shell. */
    private static boolean isPlain(String name) {
        return name.matches("[\\w.,:@%+/][\\w.,:@%+/=-]*");
    }

    private static void require(String value, String name) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("the " + name + " of a pause is empty");
        }
    }
}
