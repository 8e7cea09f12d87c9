package dev.almanac.web.guard;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Applies the defences to requests and answers. Thread-safe. */
public final class Guards {
    /** The form field with the token that proves that the form is from this console. */
    public static final String FIELD = "form-token";

    private static final String COOKIE = "almanac-form";

    /** A parameter of 1 000 characters, each of three bytes that are percent-encoded, and others of usual length. */
    private static final int LONGEST_QUERY = 16_384;

    private static final int LONGEST_BODY = 262_144;
    private static final int TOO_LONG = 414;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int MISDIRECTED = 421;
    private static final int LENGTH_REQUIRED = 411;
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'";

    /** The token of a console, and where it leads. */
    private static final int LONGEST_ENTRY = 8_192;

    private static final String BODY_READ = Guards.class.getName() + ".read";
    private static final String STRANGERS = "strangers";

    private final Set<Defence> defences;
    private final Set<String> hosts;
    private final TrustedProxies proxies;
    private final LongSupplier nanos;
    private final RateLimiter ofStranger;
    private final RateLimiter ofSession;
    /** A browser has six connections to a host. */
    private final Turns turns = new Turns(8);

    private final Turns entries = new Turns(4);
    private final RandomGenerator random = new SecureRandom();

    /** What is done for a request. */
    public interface Work {
        /** Answers the request. */
        void run() throws IOException;
    }

    /**
     * @param hosts names under which the console is reached, beside addresses and localhost
     * @param proxies that say who the client is
     * @param nanos a monotonic clock
     */
    public Guards(Set<Defence> defences, Set<String> hosts, TrustedProxies proxies, LongSupplier nanos) {
        this.defences = Set.copyOf(defences);
        this.hosts = Set.copyOf(hosts);
        this.proxies = proxies;
        this.nanos = nanos;
        this.ofStranger = new RateLimiter(400, 100, nanos);
        this.ofSession = new RateLimiter(100, 20, nanos);
    }

    /** Checks before the viewer is known. Reads no body. */
    public void check(HttpServletRequest request) {
        if (on(Defence.HOST) && !AllowedHosts.isAllowed(request.getHeader("Host"), hosts)) {
            throw new Refusal(
                    MISDIRECTED,
                    "The console does not answer under this name of a host. If it is right, name it when the console"
                            + " is set up: host(\"jobs.example.org\"), or --host on the command line.");
        }
        if (on(Defence.SIZE)) {
            size(request);
        }
    }

    /** Who sent the request, by address, as far as that can be believed. */
    public String client(HttpServletRequest request) {
        return proxies.client(request);
    }

    /** Does the work for a session, or a viewer without one; what others do has no effect on it. */
    public void admit(String session, Work work) throws IOException {
        if (on(Defence.RATE)) {
            admit(session, ofSession.allows(session), turns, work);
        } else {
            work.run();
        }
    }

    /** Counts a request of someone who is not identified. */
    public void admitStranger(HttpServletRequest request) {
        if (on(Defence.RATE) && !ofStranger.allows(client(request))) {
            throw tooMany();
        }
    }

    /** Does the work for someone who is not identified and sends a token; they share a few places. */
    public void admitEntry(HttpServletRequest request, Work work) throws IOException {
        if (request.getContentLengthLong() > LONGEST_ENTRY) {
            throw new Refusal(TOO_LARGE, "The request is larger than " + LONGEST_ENTRY + " bytes.");
        }
        admit(STRANGERS, true, entries, work);
    }

    private static void admit(String who, boolean allowed, Turns among, Work work) throws IOException {
        if (!allowed || !among.take(who)) {
            throw tooMany();
        }
        try {
            work.run();
        } finally {
            among.end(who);
        }
    }

    private static Refusal tooMany() {
        return new Refusal(TOO_MANY, "Too many requests within a short time. Wait a moment and load the page again.");
    }

    private static void size(HttpServletRequest request) {
        String query = request.getQueryString();
        if (query != null && query.length() > LONGEST_QUERY) {
            throw new Refusal(TOO_LONG, "The address is longer than " + LONGEST_QUERY + " characters.");
        }
        if (request.getMethod().equals("POST")) {
            long length = request.getContentLengthLong();
            if (length < 0) {
                throw new Refusal(LENGTH_REQUIRED, "The length of the request is not given.");
            }
            if (length > LONGEST_BODY) {
                throw new Refusal(TOO_LARGE, "The request is larger than " + LONGEST_BODY + " bytes.");
            }
        }
    }

    /** Checks that a form was not sent by a page elsewhere. Reads no body. */
    public void checkOrigin(HttpServletRequest request) {
        if (on(Defence.ORIGIN) && !isFromHere(request)) {
            throw Refusal.badRequest("The form was sent by a page elsewhere; nothing was done.");
        }
    }

    /** Reads a form of a request that was let in. */
    public RequestFields form(HttpServletRequest request) throws IOException {
        RequestFields form = RequestFields.ofForm(request, nanos);
        request.setAttribute(BODY_READ, true);
        return form;
    }

    /** Checks that a form was made by this console for this browser. */
    public void checkToken(HttpServletRequest request, RequestFields form) {
        String cookie = cookie(request);
        String field = form.first(FIELD);
        if (on(Defence.FORM_TOKEN) && (cookie == null || field == null || !same(cookie, field))) {
            throw Refusal.badRequest(
                    "The form is not of this console, or too old; nothing was done. Load the page again.");
        }
    }

    /** Ends the connection after the answer to a request whose body is not read. */
    public void leaveBody(HttpServletRequest request, HttpServletResponse response) {
        boolean body = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        if (body && request.getAttribute(BODY_READ) == null && "HTTP/1.1".equals(request.getProtocol())) {
            response.setHeader("Connection", "close");
        }
    }

    private static boolean isFromHere(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin")) {
            return false;
        }
        String origin = request.getHeader("Origin");
        if (origin == null) {
            return true;
        }
        try {
            return String.valueOf(URI.create(origin).getRawAuthority()).equalsIgnoreCase(request.getHeader("Host"));
        } catch (IllegalArgumentException notAnOrigin) {
            return false;
        }
    }

    /** Sets the security headers of every answer. */
    public void headers(HttpServletResponse response) {
        if (on(Defence.CONTENT)) {
            response.setHeader(
                    "Content-Security-Policy", POLICY + (on(Defence.FRAMES) ? "; frame-ancestors 'none'" : ""));
        }
        if (on(Defence.FRAMES)) {
            response.setHeader("X-Frame-Options", "DENY");
        }
        if (on(Defence.CACHE)) {
            response.setHeader("Cache-Control", "no-store");
        }
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    /** The token of the forms of this browser, whose other half is a cookie. */
    public String formToken(HttpServletRequest request, HttpServletResponse response) {
        String known = cookie(request);
        if (known != null && known.length() >= 40) {
            return known;
        }
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        add(request, response, COOKIE, token);
        return token;
    }

    /** Sets a cookie that scripts cannot read and other sites cannot send; an empty value removes it. */
    public void add(HttpServletRequest request, HttpServletResponse response, String name, String value) {
        Cookie cookie = new Cookie(cookieName(request, name), value);
        if (value.isEmpty()) {
            cookie.setMaxAge(0);
        }
        cookie.setPath(request.getContextPath() + request.getServletPath() + "/");
        cookie.setSecure(proxies.isSecure(request));
        cookie.setHttpOnly(true);
        if (on(Defence.COOKIES)) {
            cookie.setAttribute("SameSite", "Strict");
        }
        response.addCookie(cookie);
    }

    /** Browsers send a cookie to every port of a host, and to paths below its own; other consoles may be there. */
    private static String cookieName(HttpServletRequest request, String name) {
        String path = request.getContextPath() + request.getServletPath();
        return name + "-" + request.getServerPort()
                + (path.isEmpty() ? "" : "-" + Integer.toHexString(path.hashCode()));
    }

    /** The values of a cookie of this console. */
    public static List<String> cookies(HttpServletRequest request, String name) {
        Cookie[] cookies = request.getCookies();
        String wanted = cookieName(request, name);
        return cookies == null
                ? List.of()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(wanted))
                        .map(Cookie::getValue)
                        .toList();
    }

    private static @Nullable String cookie(HttpServletRequest request) {
        return cookies(request, COOKIE).stream().findFirst().orElse(null);
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private boolean on(Defence defence) {
        return defences.contains(defence);
    }
}
