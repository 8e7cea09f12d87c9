package dev.almanac.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Identifies the viewer of a request, with the rights to see and change jobs. Implemented by the service, by its own
 * sessions, headers of its proxy, or roles. Called once per request, by many threads; must be fast.
 */
@FunctionalInterface
public interface ConsoleAccess {
    /**
     * The viewer of a request.
     *
     * @param request as it came in; its body must not be read, which {@code getParameter} does: a client may send it slowly
     * @return empty if the viewer is not known: the answer is 403
     */
    Optional<Viewer> viewer(HttpServletRequest request);
}
