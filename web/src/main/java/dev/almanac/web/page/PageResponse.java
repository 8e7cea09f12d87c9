package dev.almanac.web.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request.
 *
 * @param status of HTTP
 * @param template that writes it; absent for a redirection
 * @param values of the template
 * @param location where the browser is sent, within the console; absent otherwise
 * @param cookie what the browser keeps; absent if nothing
 */
public record PageResponse(
        int status,
        @Nullable String template,
        Map<String, Object> values,
        @Nullable String location,
        @Nullable Note cookie) {
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;

    /** A cookie. */
    public record Note(String name, String value) {}

    static PageResponse page(String template, Frame frame, Object page) {
        return new PageResponse(OK, template + ".jte", Map.of("frame", frame, "page", page), null, null);
    }

    static PageResponse to(String location) {
        return new PageResponse(SEE_OTHER, null, Map.of(), location, null);
    }
}
