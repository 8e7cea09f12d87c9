package dev.almanac.web.guard;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Applies the defences to requests and answers. Thread-safe. */
public final class Guards {
    /** The form field with the token that proves that the form is from this console. */
    public static final String FIELD = "form-token";

    private static final String COOKIE = "almanac-form";
    private static final int LONGEST_QUERY = 4_096;
    private static final int LONGEST_BODY = 262_144;
    private static final int TOO_LONG = 414;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int MISDIRECTED = 421;
    private static final int LENGTH_REQUIRED = 411;
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'";

    private final Set<Defence> defences;
    private final Set<String> hosts;
    private final RateLimiter ofAddress;
    private final RateLimiter ofViewer;
    private final RandomGenerator random = new SecureRandom();

    /**
     * @param hosts names under which the console is reached, beside addresses and localhost
     * @param nanos a monotonic clock
     */
    public Guards(Set<Defence> defences, Set<String> hosts, LongSupplier nanos) {
        this.defences = Set.copyOf(defences);
        this.hosts = Set.copyOf(hosts);
        this.ofAddress = new RateLimiter(400, 100, nanos);
        this.ofViewer = new RateLimiter(100, 20, nanos);
    }

    /** Checks before the viewer is known. */
    public void check(HttpServletRequest request) {
        if (on(Defence.HOST) && !AllowedHosts.isAllowed(request.getHeader("Host"), hosts)) {
            throw new Refusal(
                    MISDIRECTED,
                    "The console does not answer under this name of a host. If it is right, name it when the console"
                            + " is set up: host(\"jobs.example.org\"), or --host on the command line.");
        }
        if (on(Defence.RATE) && !ofAddress.allows(String.valueOf(request.getRemoteAddr()))) {
            throw tooMany();
        }
        if (on(Defence.SIZE)) {
            size(request);
        }
    }

    /** Checks after the viewer is known. */
    public void check(HttpServletRequest request, String author) {
        if (on(Defence.RATE) && !ofViewer.allows(author)) {
            throw tooMany();
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

    /** Checks that a changing request comes from a form of this console. */
    public void checkForm(HttpServletRequest request) {
        if (on(Defence.ORIGIN) && !isFromHere(request)) {
            throw Refusal.badRequest("The form was sent by a page elsewhere; nothing was done.");
        }
        if (on(Defence.FORM_TOKEN)) {
            String cookie = cookie(request);
            String field = request.getParameter(FIELD);
            if (cookie == null || field == null || !same(cookie, field)) {
                throw Refusal.badRequest(
                        "The form is not of this console, or too old; nothing was done. Load the page again.");
            }
        }
    }

    /**
     * Reads what is left of a refused form of permitted size. A container closes a connection that has unread bytes,
     * and the browser that is still sending them may then show a broken connection in place of the refusal.
     */
    public void readRest(HttpServletRequest request) throws IOException {
        long length = request.getContentLengthLong();
        if (length > 0 && length <= LONGEST_BODY) {
            request.getInputStream().transferTo(OutputStream.nullOutputStream());
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
        Cookie cookie =
                new Cookie(COOKIE, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        add(request, response, cookie);
        return cookie.getValue();
    }

    /** Sets a cookie that scripts cannot read and other sites cannot send. */
    public void add(HttpServletRequest request, HttpServletResponse response, Cookie cookie) {
        cookie.setPath(request.getContextPath() + request.getServletPath() + "/");
        cookie.setSecure(request.isSecure());
        cookie.setHttpOnly(true);
        if (on(Defence.COOKIES)) {
            cookie.setAttribute("SameSite", "Strict");
        }
        response.addCookie(cookie);
    }

    private static @Nullable String cookie(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(COOKIE)) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private boolean on(Defence defence) {
        return defences.contains(defence);
    }
}
