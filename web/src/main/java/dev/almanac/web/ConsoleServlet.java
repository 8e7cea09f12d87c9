package dev.almanac.web;

import dev.almanac.store.StoreException;
import dev.almanac.web.guard.Guards;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.guard.RequestFields;
import dev.almanac.web.page.Api;
import dev.almanac.web.page.PageRequest;
import dev.almanac.web.page.PageResponse;
import dev.almanac.web.page.PageWriter;
import dev.almanac.web.page.Pages;
import dev.almanac.web.page.ReturnAddress;
import dev.almanac.web.page.Setup;
import dev.almanac.web.page.StaticFiles;
import dev.almanac.web.page.Zones;
import dev.almanac.web.read.StoreReader;
import dev.almanac.web.text.Clock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console as a servlet, to mount under any path, such as {@code /almanac/*}. It shows running, waiting and planned
 * jobs; it changes jobs only if that was allowed. Programs are answered in JSON below {@code /api}. {@link #destroy} closes everything that it has opened, but never the
 * store's client. Thread-safe.
 */
public final class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final int OK = 200;
    private static final int UNIDENTIFIED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_ALLOWED = 405;
    private static final int TOO_MANY = 429;
    private static final int ERROR = 500;
    private static final String NO_ACCESS =
            "This console refuses every request, because no access is configured. Give its builder one:"
                    + " ConsoleServlet.builder().access(request -> ...), which maps a request to a Viewer with an"
                    + " author and rights. docs/console.md shows how.";
    private static final String UNKNOWN =
            "You have no access to this console: you are not identified, or you have no rights.";

    private static final String SILENT =
            "The database did not answer, or answered with an error. See the log of this process.";
    private static final String LET_IN = ConsoleServlet.class.getName() + ".letIn";
    private static final String TOKEN = "token";
    private static final String ENTER = "/enter";
    private static final String SIGNED_OUT = "/signed-out";
    private static final String OUT = "You have signed out.";
    private static final String USED =
            "This console is opened with a token that is good for one browser. Open the address that was printed when it"
                    + " was started; if that was used before, or its session has ended, start it again.";

    private final transient StoreReader storeReader;
    private final transient Setup setup;
    private final transient Guards guards;
    private final transient Pages pages;
    private final transient Api api;
    private final transient PageWriter printer = new PageWriter();
    private final transient @Nullable ConsoleAccess access;

    ConsoleServlet(
            StoreReader storeReader, Setup setup, Guards guards, @Nullable ConsoleAccess access, LongSupplier nanos) {
        this.storeReader = storeReader;
        this.setup = setup;
        this.guards = guards;
        this.access = access;
        this.pages = new Pages(storeReader, setup, nanos);
        this.api = new Api(storeReader, setup, nanos);
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
            refuse(request, response, refusal);
        } catch (StoreException e) {
            // the message may name hosts, so it goes to the log only
            LOG.warn("the console could not read the store", e);
            refuse(request, response, new Refusal(UNAVAILABLE, SILENT));
        } catch (RuntimeException e) {
            LOG.error("the console failed at {}", request.getPathInfo(), e);
            refuse(request, response, new Refusal(ERROR, "This page failed. See the log of this process."));
        }
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal) throws IOException {
        guards.leaveBody(request, response);
        if (Api.isApi(path(request))) {
            refuseProgram(request, response, refusal);
            return;
        }
        printer.refuse(response, request, refusal, request.getAttribute(LET_IN) == null ? null : setup);
    }

    private void refuseProgram(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
            throws IOException {
        switch (refusal.status()) {
            case UNIDENTIFIED -> response.setHeader("WWW-Authenticate", "Bearer");
            case NOT_ALLOWED -> response.setHeader("Allow", "GET");
            case TOO_MANY, UNAVAILABLE -> response.setHeader("Retry-After", "1");
            default -> {}
        }
        printer.print(request, response, refusal.status(), Api.refused(refusal));
    }

    private static String path(HttpServletRequest request) {
        return request.getPathInfo() == null ? "" : request.getPathInfo();
    }

    /** Who asks is known before anything is read that is sent after the head of the request. */
    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean post = request.getMethod().equals("POST");
        String path = path(request);
        if (Api.isApi(path)) {
            answerProgram(path, request, response);
            return;
        }
        if (!post && !request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")
                || post && StaticFiles.isFile(path)) {
            throw new Refusal(NOT_ALLOWED, "The console supports GET and POST.");
        }
        RequestFields address = RequestFields.ofAddress(request);
        Viewer viewer = access == null ? null : access.viewer(request).orElse(null);
        boolean known = viewer != null && !viewer.sees().isEmpty();
        if (!known) {
            guards.admitStranger(request);
        }
        if (path.isEmpty()) {
            redirect(request, response, "/");
        } else if (StaticFiles.isFile(path)) {
            StaticFiles.send(path, request, response);
        } else if (viewer == null || !known) {
            enter(path, address, viewer, request, response);
        } else {
            request.setAttribute(LET_IN, true);
            guards.admit(session(viewer, request), () -> show(path, address, viewer, request, response));
        }
    }

    /** For programs: no forms, no cookies, no redirections. */
    private void answerProgram(String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (!request.getMethod().equals("GET")) {
            throw new Refusal(NOT_ALLOWED, "the API reads only: it supports GET");
        }
        RequestFields address = RequestFields.ofAddress(request);
        Viewer viewer = access == null ? null : access.viewer(request).orElseGet(() -> bearer(request));
        boolean known = viewer != null && !viewer.sees().isEmpty();
        if (!known) {
            guards.admitStranger(request);
        }
        if (Api.isDescription(path)) {
            printer.print(request, response, OK, Api.description());
        } else if (viewer == null || !known) {
            throw stranger(viewer);
        } else {
            guards.admit(session(viewer, request), () -> {
                Clock clock = new Clock(ZoneOffset.UTC, storeReader.now());
                printer.print(request, response, OK, api.answer(path, address, viewer, clock));
            });
        }
    }

    private @Nullable Viewer bearer(HttpServletRequest request) {
        return access instanceof TokenAccess tokens ? tokens.bearer(request).orElse(null) : null;
    }

    private Refusal stranger(@Nullable Viewer without) {
        if (access == null) {
            return new Refusal(FORBIDDEN, NO_ACCESS);
        }
        if (without != null || !(access instanceof TokenAccess tokens)) {
            return new Refusal(FORBIDDEN, UNKNOWN);
        }
        return new Refusal(
                UNIDENTIFIED,
                tokens.isOneTime()
                        ? "the token of this console is for one browser; start it with --access-token-file for programs"
                        : "send the access token of this console: Authorization: Bearer TOKEN");
    }

    /** The session of a viewer, whose requests are counted together; without one, author and address stand for it. */
    private String session(Viewer viewer, HttpServletRequest request) {
        if (access instanceof TokenAccess tokens) {
            return tokens.session(request).orElseGet(() -> "program at " + guards.client(request));
        }
        HttpSession session = request.getSession(false);
        return session == null ? viewer.author() + " at " + guards.client(request) : session.getId();
    }

    /** What someone is shown who is not identified, or has no rights: a token may change that. */
    private void enter(
            String path,
            RequestFields address,
            @Nullable Viewer without,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        if (access == null) {
            throw new Refusal(FORBIDDEN, NO_ACCESS);
        }
        if (without != null || !(access instanceof TokenAccess tokens)) {
            throw new Refusal(FORBIDDEN, UNKNOWN);
        }
        String token = address.first(TOKEN);
        if (request.getMethod().equals("POST")) {
            if (!path.equals(ENTER)) {
                throw withoutSession(tokens);
            }
            guards.checkOrigin(request);
            guards.admitEntry(request, () -> {
                RequestFields form = guards.form(request);
                enter(tokens, form.first(TOKEN), ReturnAddress.safe(form.first("next")), request, response);
            });
        } else if (token != null) {
            enter(tokens, token, withoutToken(path, request), request, response);
        } else if (path.equals(SIGNED_OUT)) {
            throw new Refusal(OK, tokens.isOneTime() ? OUT + " " + USED : OUT, !tokens.isOneTime());
        } else {
            throw withoutSession(tokens);
        }
    }

    private static Refusal withoutSession(TokenAccess tokens) {
        return new Refusal(
                FORBIDDEN, tokens.isOneTime() ? USED : "Show the access token of this console.", !tokens.isOneTime());
    }

    private void enter(
            TokenAccess tokens,
            @Nullable String token,
            String next,
            HttpServletRequest request,
            HttpServletResponse response) {
        String session = tokens.enter(token == null ? "" : token)
                .orElseThrow(() -> new Refusal(
                        FORBIDDEN, "This token is not the right one, or was used before.", !tokens.isOneTime()));
        guards.add(request, response, TokenAccess.COOKIE, session);
        redirect(request, response, next);
    }

    /** The address that was asked for, without the token. */
    private static String withoutToken(String path, HttpServletRequest request) {
        String rest = Arrays.stream(String.valueOf(request.getQueryString()).split("&"))
                .filter(pair -> !pair.startsWith(TOKEN + "="))
                .collect(Collectors.joining("&"));
        return ReturnAddress.safe(rest.isEmpty() ? path : path + "?" + rest);
    }

    private void show(
            String path, RequestFields address, Viewer viewer, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        TokenAccess tokens = access instanceof TokenAccess some ? some : null;
        boolean post = request.getMethod().equals("POST");
        RequestFields fields = address;
        if (post) {
            guards.checkOrigin(request);
            RequestFields form = guards.form(request);
            if (tokens != null && path.equals(ENTER)) {
                // another window has entered meanwhile
                redirect(request, response, ReturnAddress.safe(form.first("next")));
                return;
            }
            guards.checkToken(request, form);
            fields = address.and(form);
        }
        if (tokens != null && !post && address.first(TOKEN) != null) {
            redirect(request, response, withoutToken(path, request));
        } else if (tokens != null && post && path.equals("/sign-out")) {
            tokens.leave(request);
            guards.add(request, response, TokenAccess.COOKIE, "");
            redirect(request, response, SIGNED_OUT);
        } else {
            page(path, fields, viewer, request, response);
        }
    }

    private void page(
            String path, RequestFields fields, Viewer viewer, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ZoneId zone = Zones.chosen(request).orElse(setup.zone());
        Instant now = storeReader.now();
        PageRequest call = new PageRequest(
                PageRequest.Address.of(request),
                fields,
                viewer,
                new Clock(zone, now),
                guards.formToken(request, response),
                access instanceof TokenAccess);
        PageResponse reply = pages.page(path, request.getMethod().equals("POST"), call);
        if (reply.cookie() != null) {
            guards.add(request, response, reply.cookie().name(), reply.cookie().value());
        }
        if (reply.location() != null) {
            redirect(request, response, reply.location());
        } else {
            printer.print(request, response, reply);
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
