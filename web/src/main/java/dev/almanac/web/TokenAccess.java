package dev.almanac.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates viewers by a token, for a console that runs alone. A token is sent once and starts a
 * session, a cookie that lives until the browser or this process ends. Thread-safe.
 */
public final class TokenAccess implements ConsoleAccess {
    private static final String COOKIE = "almanac-session";
    private static final int BYTES = 32;
    private static final int MOST_SESSIONS = 100;
    /** Shorter ones can be guessed. */
    private static final int SHORTEST = 20;

    private final RandomGenerator random;
    private final Viewer viewer;
    private final boolean once;
    /** A new session replaces the oldest one when there are too many. */
    private final Map<String, Boolean> sessions = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_SESSIONS;
        }
    };

    private @Nullable String token;

    private TokenAccess(Viewer viewer, @Nullable String token, RandomGenerator random) {
        this.viewer = viewer;
        this.random = random;
        this.once = token == null;
        this.token = token == null ? secret() : token;
    }

    /** A random token that is good for one entry. */
    public static TokenAccess oneTime(Viewer viewer) {
        return new TokenAccess(viewer, null, new SecureRandom());
    }

    /**
     * A token that stays, such as one from a file.
     *
     * @throws IllegalArgumentException if it has fewer than 20 characters
     */
    public static TokenAccess of(Viewer viewer, String token) {
        if (token.length() < SHORTEST) {
            throw new IllegalArgumentException("an access token has at least " + SHORTEST + " characters, this one has "
                    + token.length() + "; make one with: openssl rand -hex 32");
        }
        return new TokenAccess(viewer, token, new SecureRandom());
    }

    /** What is to be shown; empty once a token for one entry was used. */
    public synchronized Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /** Whether the token is good for one entry. */
    boolean isOneTime() {
        return once;
    }

    /** A new session for this token; empty if the token is wrong or was used. */
    synchronized Optional<Cookie> enter(String shown) {
        if (token == null || !same(token, shown)) {
            return Optional.empty();
        }
        if (once) {
            token = null;
        }
        String session = secret();
        sessions.put(session, true);
        Cookie cookie = new Cookie(COOKIE, session);
        cookie.setHttpOnly(true);
        return Optional.of(cookie);
    }

    @Override
    public synchronized Optional<Viewer> viewer(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(COOKIE) && sessions.containsKey(cookie.getValue())) {
                    return Optional.of(viewer);
                }
            }
        }
        return Optional.empty();
    }

    private String secret() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** In a time that does not depend on how many characters are equal. */
    private static boolean same(String wanted, String shown) {
        return MessageDigest.isEqual(wanted.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
    }
}
