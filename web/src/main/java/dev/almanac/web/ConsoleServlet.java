package dev.almanac.web;

import dev.almanac.store.StoreException;
import dev.almanac.web.guard.Guards;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.page.PageRequest;
import dev.almanac.web.page.PageResponse;
import dev.almanac.web.page.PageWriter;
import dev.almanac.web.page.Pages;
import dev.almanac.web.page.Setup;
import dev.almanac.web.page.StaticFiles;
import dev.almanac.web.page.Zones;
import dev.almanac.web.read.StoreReader;
import dev.almanac.web.text.Clock;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console as a servlet, to mount under any path, such as {@code /almanac/*}. It shows running, waiting and planned
 * jobs; it changes jobs only if that was allowed. {@link #destroy} closes everything that it has opened, but never the
 * store's client. Thread-safe.
 */
public final class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_ALLOWED = 405;
    private static final int ERROR = 500;
    private static final String NO_ACCESS =
            "This console refuses every request, because no access is configured. Give its builder one:"
                    + " ConsoleServlet.builder().access(request -> ...), which maps a request to a Viewer with an"
                    + " author and rights. docs/console.md shows how.";
    private static final String UNKNOWN =
            "You have no access to this console: you are not identified, or you have no rights.";

    private static final String SILENT =
            "The database did not answer, or answered with an error. See the log of this process.";
    private static final String USED =
            "This console was opened with a token that is good for one browser. Open the address that was printed when"
                    + " it was started; if that was used before, start it again.";

    private final transient StoreReader storeReader;
    private final transient Setup setup;
    private final transient Guards guards;
    private final transient Pages pages;
    private final transient PageWriter printer = new PageWriter();
    private final transient @Nullable ConsoleAccess access;

    ConsoleServlet(
            StoreReader storeReader, Setup setup, Guards guards, @Nullable ConsoleAccess access, LongSupplier nanos) {
        this.storeReader = storeReader;
        this.setup = setup;
        this.guards = guards;
        this.access = access;
        this.pages = new Pages(storeReader, setup, nanos);
    }

    /** Starts a builder. */
    public static ConsoleBuilder builder() {
        return new ConsoleBuilder();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // browsers send forms in the charset of the page; some containers read them in another one
        request.setCharacterEncoding("UTF-8");
        guards.headers(response);
        try {
            guards.check(request);
            answer(request, response);
        } catch (Refusal refusal) {
            guards.readRest(request);
            printer.refuse(response, request, refusal);
        } catch (StoreException e) {
            // the message may name hosts, so it goes to the log only
            LOG.warn("the console could not read the store", e);
            printer.refuse(response, request, new Refusal(UNAVAILABLE, SILENT));
        } catch (RuntimeException e) {
            LOG.error("the console failed at {}", request.getPathInfo(), e);
            printer.refuse(response, request, new Refusal(ERROR, "This page failed. See the log of this process."));
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean post = request.getMethod().equals("POST");
        if (!post && !request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            throw new Refusal(NOT_ALLOWED, "The console supports GET and POST.");
        }
        requireReadable(request);
        String path = request.getPathInfo() == null ? "" : request.getPathInfo();
        if (path.isEmpty()) {
            redirect(request, response, "/");
        } else if (StaticFiles.isFile(path)) {
            StaticFiles.send(path, request, response);
        } else if (access instanceof TokenAccess tokens && request.getParameter("token") != null) {
            enter(tokens, request, response);
        } else {
            Viewer viewer = viewer(request);
            guards.check(request, viewer.author());
            if (post) {
                guards.checkForm(request);
            }
            show(path, viewer, request, response);
        }
    }

    private void enter(TokenAccess tokens, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<Cookie> session = tokens.enter(request.getParameter("token"));
        if (session.isEmpty() && tokens.viewer(request).isPresent()) {
            redirect(request, response, "/");
            return;
        }
        if (session.isEmpty()) {
            throw new Refusal(FORBIDDEN, "This token is not the right one, or was used before.");
        }
        guards.add(request, response, session.get());
        redirect(request, response, "/");
    }

    private Viewer viewer(HttpServletRequest request) {
        if (access == null) {
            throw new Refusal(FORBIDDEN, NO_ACCESS);
        }
        Viewer viewer = access.viewer(request).orElse(null);
        if (viewer == null && access instanceof TokenAccess tokens) {
            throw new Refusal(
                    FORBIDDEN,
                    tokens.isOneTime() ? USED : "Show the access token of this console.",
                    !tokens.isOneTime());
        }
        if (viewer == null || viewer.sees().isEmpty()) {
            throw new Refusal(FORBIDDEN, UNKNOWN);
        }
        return viewer;
    }

    /** Containers throw different exceptions for malformed text, such as invalid UTF-8. */
    private static void requireReadable(HttpServletRequest request) {
        try {
            request.getParameterMap();
        } catch (RuntimeException malformed) {
            throw Refusal.badRequest("The address or the form cannot be read.");
        }
    }

    private void show(String path, Viewer viewer, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ZoneId zone = Zones.chosen(request).orElse(setup.zone());
        Instant now = storeReader.now();
        PageRequest call = new PageRequest(request, viewer, new Clock(zone, now), guards.formToken(request, response));
        PageResponse reply = pages.page(path, request.getMethod().equals("POST"), call);
        if (reply.cookie() != null) {
            guards.add(
                    request,
                    response,
                    new Cookie(reply.cookie().name(), reply.cookie().value()));
        }
        if (reply.location() != null) {
            redirect(request, response, reply.location());
        } else {
            printer.print(response, reply);
        }
    }

    private static void redirect(HttpServletRequest request, HttpServletResponse response, String location) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", request.getContextPath() + request.getServletPath() + location);
    }

    @Override
    public void destroy() {
        storeReader.close();
    }
}
