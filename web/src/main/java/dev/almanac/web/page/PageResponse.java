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
 * @param file to be kept by the user; absent for a page
 */
public record PageResponse(
        int status,
        @Nullable String template,
        Map<String, Object> values,
        @Nullable String location,
        @Nullable Note cookie,
        @Nullable Download file) {
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;

    /** A cookie. */
    public record Note(String name, String value) {}

    /** A file of JSON. */
    public record Download(String name, String json) {}

    PageResponse(
            int status,
            @Nullable String template,
            Map<String, Object> values,
            @Nullable String location,
            @Nullable Note cookie) {
        this(status, template, values, location, cookie, null);
    }

    static PageResponse file(String name, String json) {
        return new PageResponse(OK, null, Map.of(), null, null, new Download(name, json));
    }

    static PageResponse page(String template, Frame frame, Object page) {
        return new PageResponse(OK, template + ".jte", Map.of("frame", frame, "page", page), null, null);
    }

    static PageResponse to(String location) {
        return new PageResponse(SEE_OTHER, null, Map.of(), location, null);
    }
}
