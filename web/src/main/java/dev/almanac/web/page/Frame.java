package dev.almanac.web.page;

import dev.almanac.web.text.Clock;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The layout around every page.
 *
 * @param base where the console is mounted, without a slash at the end
 * @param place path of the page in the navigation, such as {@code /jobs}
 * @param title of the page
 * @param consoleTitle the title of all pages
 * @param author who looks
 * @param formToken what forms have to carry
 * @param self address of this page within the console
 * @param seconds after how many seconds the page is refreshed; 0 = never
 * @param changes whether this viewer may change something
 * @param canSignOut whether this viewer has a session that the console can end
 * @param entries of the navigation
 * @param failed how many fires have failed for good, for the title of the window; 0 = none, or not known here
 * @param searched what was searched for; empty = nothing
 * @param refresh whether only the content is sent, for a page that is open already
 */
record Frame(
        String base,
        String place,
        String title,
        String consoleTitle,
        String author,
        Clock clock,
        String formToken,
        String self,
        int seconds,
        boolean changes,
        boolean canSignOut,
        List<Entry> entries,
        long failed,
        String searched,
        boolean refresh) {
    private static final Pattern SORT = Pattern.compile("[?&]sort=([^&]*)");

    private static final Entry METRICS = new Entry("/metrics", "Metrics");
    private static final List<Entry> ENTRIES = List.of(
            new Entry("/", "Now"),
            new Entry("/day", "Day"),
            new Entry("/forecast", "Forecast"),
            new Entry("/jobs", "Jobs"),
            new Entry("/failures", "Failures"),
            new Entry("/calendars", "Calendars"),
            new Entry("/nodes", "Nodes"),
            new Entry("/pauses", "Pauses"),
            new Entry("/doctor", "Doctor"),
            METRICS);

    /** With the number of failures in the title of the window. */
    Frame failed(long number) {
        return new Frame(
                base,
                place,
                title,
                consoleTitle,
                author,
                clock,
                formToken,
                self,
                seconds,
                changes,
                canSignOut,
                entries,
                number,
                searched,
                refresh);
    }

    /** An entry of the navigation. */
    record Entry(String path, String name) {}

    /** The entries of a console; one without metrics has no page for them. */
    static List<Entry> entries(boolean metrics) {
        return metrics
                ? ENTRIES
                : ENTRIES.stream().filter(entry -> entry != METRICS).toList();
    }

    String link(String path) {
        return base + path;
    }

    String link(String path, String name, @Nullable String value) {
        return base + path + "?" + name + "=" + encoded(String.valueOf(value));
    }

    String job(String key) {
        return link("/job", "key", key);
    }

    /** The column that the address sorts a table by, after a dash if the other way round; absent if by none. */
    @Nullable
    String sort() {
        Matcher sort = SORT.matcher(self);
        return sort.find() ? sort.group(1) : null;
    }

    String asset(String name) {
        return base + StaticFiles.PATH + "/" + name;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
