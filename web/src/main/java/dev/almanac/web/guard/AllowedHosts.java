package dev.almanac.web.guard;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The host names of the console. Another site can let its own name resolve to this address, and is then of the same
 * origin for a browser, but its name differs. IP addresses and localhost cannot be taken by others.
 */
final class AllowedHosts {
    private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.%]+\\]");

    private AllowedHosts() {}

    static boolean isAllowed(@Nullable String header, Set<String> names) {
        if (header == null) {
            return false;
        }
        String host = PORT.matcher(header.toLowerCase(Locale.ROOT)).replaceFirst("");
        return host.equals("localhost") || ADDRESS.matcher(host).matches() || names.contains(host);
    }
}
