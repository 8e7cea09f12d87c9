package dev.almanac.web.guard;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The proxies whose headers about the client are believed: {@code Forwarded}, or {@code X-Forwarded-For} and
 * {@code X-Forwarded-Proto}. Anyone else could write anything into them. Immutable.
 */
public final class TrustedProxies {
    private static final Pattern ADDRESS =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern PORT = Pattern.compile("(\\[[^\\]]*\\]|[^:]*)(:[0-9]{1,5})?");
    private static final int LONGEST = 100;

    private final List<Network> networks;

    /** Addresses that begin with the same bits. */
    private record Network(byte[] address, int bits) {
        boolean has(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                if ((address[bit / Byte.SIZE] & mask) != (other[bit / Byte.SIZE] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * @param proxies addresses, or networks such as {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if one is neither
     */
    public TrustedProxies(Collection<String> proxies) {
        this.networks = proxies.stream().map(TrustedProxies::network).toList();
    }

    private static Network network(String text) {
        int slash = text.indexOf('/');
        byte[] address = address(slash < 0 ? text : text.substring(0, slash));
        String bits = slash < 0 ? "" : text.substring(slash + 1);
        int most = address == null ? 0 : address.length * Byte.SIZE;
        if (address == null || slash >= 0 && (!bits.matches("[0-9]{1,3}") || Integer.parseInt(bits) > most)) {
            throw new IllegalArgumentException(
                    "the trusted proxy '" + text + "' is no IP address and no network; write 10.0.0.7 or 10.0.0.0/8");
        }
        return new Network(address, slash < 0 ? most : Integer.parseInt(bits));
    }

    /** Its bytes; absent if it is no address. Names are not looked up. */
    private static byte @Nullable [] address(String text) {
        if (!ADDRESS.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException none) {
            return null;
        }
    }

    private boolean isTrusted(String text) {
        byte[] address = address(text);
        return address != null && networks.stream().anyMatch(network -> network.has(address));
    }

    /** Who sent the request: the last address that no trusted proxy has. */
    String client(HttpServletRequest request) {
        String client = String.valueOf(request.getRemoteAddr());
        List<String> way = isTrusted(client) ? way(request) : List.of();
        for (int i = way.size() - 1; i >= 0 && isTrusted(client); i--) {
            client = way.get(i);
        }
        return client;
    }

    /** Whether the browser speaks TLS, to this server or to a trusted proxy. */
    boolean isSecure(HttpServletRequest request) {
        if (request.isSecure() || !isTrusted(String.valueOf(request.getRemoteAddr()))) {
            return request.isSecure();
        }
        List<String> forwarded = parts(request, "Forwarded");
        List<String> protocols = forwarded.isEmpty()
                ? parts(request, "X-Forwarded-Proto")
                : forwarded.stream().map(part -> value(part, "proto")).toList();
        return !protocols.isEmpty() && protocols.get(0).equalsIgnoreCase("https");
    }

    private static List<String> way(HttpServletRequest request) {
        List<String> forwarded = parts(request, "Forwarded");
        return (forwarded.isEmpty()
                        ? parts(request, "X-Forwarded-For").stream()
                        : forwarded.stream().map(part -> value(part, "for")))
                .map(TrustedProxies::withoutPort)
                .toList();
    }

    private static List<String> parts(HttpServletRequest request, String header) {
        List<String> parts = new ArrayList<>();
        for (String line : Collections.list(request.getHeaders(header))) {
            for (String part : line.split(",")) {
                parts.add(part.strip());
            }
        }
        return parts;
    }

    private static String value(String part, String name) {
        for (String pair : part.split(";")) {
            String[] sides = pair.strip().split("=", 2);
            if (sides.length == 2 && sides[0].toLowerCase(Locale.ROOT).equals(name)) {
                return sides[1].replace("\"", "").strip();
            }
        }
        return "";
    }

    private static String withoutPort(String text) {
        String cut = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        boolean bare = cut.indexOf(':') != cut.lastIndexOf(':') && !cut.startsWith("[");
        var parts = PORT.matcher(cut);
        return bare || !parts.matches() ? cut : parts.group(1).replace("[", "").replace("]", "");
    }
}
