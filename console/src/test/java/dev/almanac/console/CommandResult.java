package dev.almanac.console;

import dev.almanac.console.terminal.ProcessEnvironment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a command answered.
 *
 * @param exit the exit code
 * @param out what it printed, with times of these years and ids made alike
 * @param err what it complained about
 */
record CommandResult(int exit, String out, String err) {
    private static final Pattern TIME = Pattern.compile("20[2-4]\\d-\\d\\d-\\d\\d([T ])\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?");
    private static final Pattern ID = Pattern.compile("\\b[0-9a-f]{24}\\b");
    private static final Pattern HOST = Pattern.compile("(127\\.0\\.0\\.1|localhost):\\d+");

    static CommandResult by(Map<String, String> environment, String... arguments) {
        return by(false, environment, arguments);
    }

    static CommandResult by(boolean terminal, Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(
                new ProcessEnvironment(new PrintWriter(out), new PrintWriter(err), environment, terminal), arguments);
        return new CommandResult(exit, alike(out.toString()), alike(err.toString()));
    }

    static String alike(String text) {
        // whoever runs the tests
        String user = System.getProperty("user.name");
        String unsigned = text.replace("; by " + user, "").replace(",\"author\":\"" + user + "\"", "");
        // of a job far ahead, spread by chance
        String kept = unsigned.replaceAll("\"deleteTime\":\"21[^\"]+\"", "\"deleteTime\":\"<later>\"");
        String times = TIME.matcher(kept).replaceAll("####-##-##$1##:##:##");
        return HOST.matcher(ID.matcher(times).replaceAll("<id>")).replaceAll("<host>");
    }

    /** All that a person sees. */
    String all() {
        return out + err;
    }
}
