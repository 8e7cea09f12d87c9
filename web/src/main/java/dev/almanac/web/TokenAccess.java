package dev.almanac.web;

import dev.almanac.web.guard.Guards;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates viewers by a token, for a console that runs alone. A token is sent once and starts a session, a cookie
 * that lives until the viewer signs out, or it expires, or the browser or this process ends. A program sends a token that
 * stays with each request to {@code /api}, in the header {@code Authorization: Bearer}. Thread-safe.
 */
public final class TokenAccess implements ConsoleAccess {
    /** How long a session lasts without a request of its user; pages that refresh themselves do not count. */
    public static final Duration IDLE = Duration.ofHours(1);

    /** How long a session lasts at most. */
    public static final Duration LONGEST = Duration.ofHours(12);

    static final String COOKIE = "almanac-session";
    private static final String BEARER = "Bearer ";
    private static final int BYTES = 32;
    private static final int MOST_SESSIONS = 100;
    /** Shorter ones can be guessed. */
    private static final int SHORTEST = 20;

    private final RandomGenerator random;
    private final LongSupplier nanos;
    private final Viewer viewer;
    private final boolean once;
    private final long idleNanos;
    private final long longestNanos;
    /** A new session replaces the oldest one when there are too many. */
    private final Map<String, Session> sessions = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
            return size() > MOST_SESSIONS;
        }
    };

    private @Nullable String token;

    /** When it began, and when its user has last asked for something. */
    private record Session(long begun, long used) {}

    private TokenAccess(
            Viewer viewer, @Nullable String token, boolean once, Duration idle, Duration longest, LongSupplier nanos) {
        this.viewer = viewer;
        this.random = new SecureRandom();
        this.nanos = nanos;
        this.once = once;
        this.idleNanos = idle.toNanos();
        this.longestNanos = longest.toNanos();
        this.token = token == null && once ? secret() : token;
    }

    /** A random token that is good for one entry. */
    public static TokenAccess oneTime(Viewer viewer) {
        return new TokenAccess(viewer, null, true, IDLE, LONGEST, System::nanoTime);
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
        return new TokenAccess(viewer, token, false, IDLE, LONGEST, System::nanoTime);
    }

    /**
     * The same with other limits of sessions, without the sessions that exist.
     *
     * @param idle how long a session lasts without a request of its user, from 1 minute on
     * @param longest how long it lasts at most, not shorter
     * @throws IllegalArgumentException if they are shorter
     */
    public synchronized TokenAccess expiring(Duration idle, Duration longest) {
        if (idle.compareTo(Duration.ofMinutes(1)) < 0 || longest.compareTo(idle) < 0) {
            throw new IllegalArgumentException("a session that ends after " + idle + " without a request, and after "
                    + longest + " at the latest, is too short; the first is at least PT1M, the second not shorter");
        }
        return new TokenAccess(viewer, token, once, idle, longest, nanos);
    }

    /** For tests: the same with another monotonic clock. */
    synchronized TokenAccess nanos(LongSupplier clock) {
        return new TokenAccess(viewer, token, once, Duration.ofNanos(idleNanos), Duration.ofNanos(longestNanos), clock);
    }

    /** What is to be shown; empty once a token for one entry was used. */
    public synchronized Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /** Whether the token is good for one entry. */
    boolean isOneTime() {
        return once;
    }

    /** The value of a new session for this token; empty if the token is wrong or was used. */
    synchronized Optional<String> enter(String shown) {
        if (token == null || !same(token, shown)) {
            return Optional.empty();
        }
        if (once) {
            token = null;
        }
        String session = secret();
        sessions.put(session, new Session(nanos.getAsLong(), nanos.getAsLong()));
        return Optional.of(session);
    }

    /** The session of a request; empty if it has none, or its session has expired. */
    synchronized Optional<String> session(HttpServletRequest request) {
        long now = nanos.getAsLong();
        sessions.values().removeIf(session -> now - session.used() > idleNanos || now - session.begun() > longestNanos);
        return Guards.cookies(request, COOKIE).stream()
                .filter(sessions::containsKey)
                .findFirst();
    }

    /** Ends the session of a request. */
    synchronized void leave(HttpServletRequest request) {
        session(request).ifPresent(sessions::remove);
    }

    /** The viewer of a program that sends the token with each request; a token for one entry is not for programs. */
    synchronized Optional<Viewer> bearer(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        boolean shown =
                !once && token != null && header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return shown && same(token, header.substring(BEARER.length()).strip()) ? Optional.of(viewer) : Optional.empty();
    }

    @Override
    public synchronized Optional<Viewer> viewer(HttpServletRequest request) {
        Optional<String> session = session(request);
        boolean refresh = request.getHeader("HX-Request") != null;
        session.filter(used -> !refresh)
                .ifPresent(used -> sessions.computeIfPresent(
                        used, (value, before) -> new Session(before.begun(), nanos.getAsLong())));
        return session.map(known -> viewer);
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
