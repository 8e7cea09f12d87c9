package dev.almanac.web.page;

import dev.almanac.text.Fingerprint;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of a page that is refreshed: one part up to the moment that it is of, and one for each section. Each begins
 * with its digest; parts that the browser has are left out. The script of the console puts the page together.
 */
final class PageParts {
    /** The request names the digests of the parts that the browser has. */
    static final String HEADER = "Almanac-Parts";

    private static final Pattern BEGIN = Pattern.compile("(?<=</p>)(?=\\s*<div class=\"tiles\")|(?=<section[ >])");
    private static final Pattern SPACE = Pattern.compile(" ");
    /** So that the names of all fit into the head of a request. */
    private static final int MOST = 100;

    private static final int DIGEST_BYTES = 8;

    private PageParts() {}

    /** @param known as the request has it; absent if the browser has none */
    static String without(@Nullable String known, String content) {
        Set<String> names = known == null ? Set.of() : Set.copyOf(Arrays.asList(SPACE.split(known)));
        return Arrays.stream(BEGIN.split(content, MOST))
                .map(part -> {
                    String name = Fingerprint.of(part, DIGEST_BYTES);
                    return "<!--part " + name + "-->" + (names.contains(name) ? "" : part);
                })
                .collect(Collectors.joining());
    }
}
