package dev.almanac.text;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Removes credentials from texts that are shown or logged. One pass, in time linear in the length of the text. The
 * result is at most half as long again.
 */
public final class Redaction {
    private static final String HIDDEN = "***";
    private static final List<String> SCHEMES = List.of("mongodb://", "mongodb+srv://");
    private static final String PRODUCT = "mongodb";
    private static final List<String> SECRET_OPTIONS = List.of("password", "token", "secret", "mechanismproperties");

    private Redaction() {}

    /**
     * The text without user names and passwords of connection strings, well-formed or not. Looks at each run of
     * characters between white space and quotes. Hides all of a connection string behind its scheme if there is an
     * {@code @} in it, a port that is none and so may be a password, or an option that holds a secret; hides whole what
     * else has a colon and then an {@code @}.
     *
     * @return never null; empty if there is no text
     */
    public static String withoutCredentials(@Nullable String text) {
        return hidden(text, Redaction::part);
    }

    /**
     * As {@link #withoutCredentials}, of a text that also holds what users have chosen, such as keys of jobs: hides only
     * what names {@code mongodb}. Text of the driver, which may quote a password alone, needs the other method.
     *
     * @return never null; empty if there is no text
     */
    public static String withoutConnectionStrings(@Nullable String text) {
        return hidden(text, part -> part.toLowerCase(Locale.ROOT).contains(PRODUCT) ? part(part) : part);
    }

    private static String hidden(@Nullable String text, UnaryOperator<String> hide) {
        if (text == null || text.indexOf(':') < 0) {
            return text == null ? "" : text;
        }
        StringBuilder shown = new StringBuilder(text.length());
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            if (isBetween(text.charAt(i))) {
                shown.append(hide.apply(text.substring(begin, i))).append(text.charAt(i));
                begin = i + 1;
            }
        }
        return shown.append(hide.apply(text.substring(begin))).toString();
    }

    private static boolean isBetween(char c) {
        return Character.isWhitespace(c) || c == '"' || c == '\'';
    }

    private static String part(String part) {
        int address = address(part);
        if (address >= 0) {
            return holdsSecret(part.substring(address)) ? part.substring(0, address) + HIDDEN : part;
        }
        int colon = part.indexOf(':');
        return colon >= 0 && part.lastIndexOf('@') > colon ? HIDDEN : part;
    }

    /** Where the first connection string goes on behind its scheme; -1 if there is none. */
    private static int address(String part) {
        for (int i = part.indexOf("://"); i >= 0; i = part.indexOf("://", i + 1)) {
            for (String scheme : SCHEMES) {
                int start = i + 3 - scheme.length();
                if (start >= 0 && part.regionMatches(true, start, scheme, 0, scheme.length())) {
                    return i + 3;
                }
            }
        }
        return -1;
    }

    private static boolean holdsSecret(String address) {
        int options = address.indexOf('?');
        String named = options < 0 ? "" : address.substring(options).toLowerCase(Locale.ROOT);
        return address.indexOf('@') >= 0
                || SECRET_OPTIONS.stream().anyMatch(named::contains)
                || hasWrongPort(options < 0 ? address : address.substring(0, options));
    }

    /** What stands behind a colon and is no port may be the password of a broken connection string. */
    private static boolean hasWrongPort(String hosts) {
        for (int colon = hosts.indexOf(':'); colon >= 0; colon = hosts.indexOf(':', colon + 1)) {
            int end = colon + 1;
            while (end < hosts.length() && end <= colon + 5 && Character.isDigit(hosts.charAt(end))) {
                end++;
            }
            boolean port = end > colon + 1 && (end == hosts.length() || "/,".indexOf(hosts.charAt(end)) >= 0);
            if (!port) {
                return true;
            }
        }
        return false;
    }
}
