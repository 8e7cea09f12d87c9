package dev.almanac.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Says who a request comes from and what he may see and change. The service writes it: it knows its own sessions,
 * headers of its proxy, or roles. Called once for each request, by many threads; should be quick.
 */
@FunctionalInterface
public interface ConsoleAccess {
    /**
     * Who asks.
     *
     * @param request as it came in; its body has not been read
     * @return empty if nobody who is known: the answer is 403
     */
    Optional<Viewer> viewer(HttpServletRequest request);
}
