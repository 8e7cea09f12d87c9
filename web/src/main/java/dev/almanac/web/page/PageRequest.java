package dev.almanac.web.page;

import dev.almanac.web.Viewer;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.guard.RequestFields;
import dev.almanac.web.text.Clock;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request that has passed the guards. For one thread.
 *
 * @param fields of the address and the form
 * @param formToken what forms of this answer have to carry
 * @param canSignOut whether the viewer has a session that the console can end
 */
public record PageRequest(
        Address address, RequestFields fields, Viewer viewer, Clock clock, String formToken, boolean canSignOut) {
    private static final int FORBIDDEN = 403;
    private static final int LONGEST_VALUE = 1_000;
    private static final int LONGEST_REASON = 300;
    /** Of an address; that of a job whose key is 256 characters of other scripts has 2 300. */
    private static final int LONGEST_BACK = 4_096;
    /** Bounded by the length of addresses and forms. */
    private static final Set<String> LONGER = Set.of("definition", "after", "filter");

    /**
     * What was asked for.
     *
     * @param base where the console is mounted, without a slash at the end
     * @param path within the console
     * @param query absent if there is none
     * @param form whether it is a form that was sent
     * @param refresh whether a page that is open already replaces its content
     */
    public record Address(
            String base, String path, @Nullable String query, boolean form, boolean refresh) {
        /** That of a request. */
        public static Address of(HttpServletRequest request) {
            String path = request.getPathInfo() == null ? "/" : request.getPathInfo();
            return new Address(
                    request.getContextPath() + request.getServletPath(),
                    path,
                    request.getQueryString(),
                    request.getMethod().equals("POST"),
                    "live".equals(request.getHeader("HX-Target")));
        }
    }

    /** The same request with the fields of the query of an address. */
    PageRequest with(String query) {
        return new PageRequest(address, RequestFields.ofQuery(query), viewer, clock, formToken, canSignOut);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "PageRequest[" + address.path() + "]";
    }

    /** The clock of what was typed: a form names the zone of its page, since pages of other tabs choose for all of them. */
    Clock typing() {
        String zone = parameter(Moments.ZONE);
        return zone == null
                ? clock
                : new Clock(
                        Zones.read(zone).orElseThrow(() -> Refusal.ofValue(Moments.ZONE, zone, "is no time zone.")),
                        clock.now());
    }

    /** Where the console is mounted, without a slash at the end. */
    String base() {
        return address.base();
    }

    /** Of the page, within the console. */
    String path() {
        return address.path();
    }

    /** Whether a page that is open already replaces its content. */
    boolean refresh() {
        return address.refresh();
    }

    /** The address of this page within the console, with its question. */
    String self() {
        if (address.form() && address.path().equals("/act")) {
            // the address of a form cannot be loaded again; the page that contained the form can
            return back();
        }
        return address.query() == null ? address.path() : address.path() + "?" + address.query();
    }

    /**
     * The reason of a change, which is stored with it.
     *
     * @throws IllegalArgumentException if it is missing, too long, or has control characters
     */
    String reason() {
        String reason = parameter("reason");
        if (reason == null) {
            throw new IllegalArgumentException("A reason is required; it is stored with the change.");
        }
        if (reason.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The reason contains a control character; write it on one line.");
        }
        if (reason.length() > LONGEST_REASON) {
            throw new IllegalArgumentException("The reason is longer than " + LONGEST_REASON + " characters.");
        }
        return reason;
    }

    /** The page from which a form came. */
    String back() {
        String back = fields.first("back");
        return ReturnAddress.safe(back == null || back.length() > LONGEST_BACK ? null : back);
    }

    /** A parameter; absent if it is not there or blank. */
    @Nullable
    String parameter(String name) {
        String value = fields.first(name);
        if (value != null && value.length() > LONGEST_VALUE && !LONGER.contains(name)) {
            throw Refusal.badRequest("The value of '" + name + "' is longer than " + LONGEST_VALUE + " characters.");
        }
        return value == null || value.isBlank() ? null : value;
    }

    String required(String name) {
        String value = parameter(name);
        if (value == null) {
            throw Refusal.badRequest("The parameter '" + name + "' is missing.");
        }
        return value;
    }

    /** A number of at most five digits; 0 if it is not there. */
    int count(String name) {
        String value = Objects.requireNonNullElse(parameter(name), "0");
        if (!value.matches("[0-9]{1,5}")) {
            throw Refusal.ofValue(name, value, "is no number from 0 to 99999.");
        }
        return Integer.parseInt(value);
    }

    List<String> parameters(String name) {
        return fields.all(name).stream()
                .filter(value -> !value.isBlank())
                .distinct()
                .toList();
    }

    /** Whether the viewer sees, and may change, the jobs of all applications. */
    boolean changesAll() {
        return viewer.sees().all() && viewer.changes().all();
    }

    /** Refuses viewers who may not see all applications. */
    void requireAll() {
        if (!viewer.sees().all()) {
            throw new Refusal(FORBIDDEN, "This page shows all applications; you may see only some of them.");
        }
    }
}
