package dev.almanac.web.page;

import org.jspecify.annotations.Nullable;

/** Where a form came from, so that one gets back there. */
final class ReturnAddress {
    private ReturnAddress() {}

    /** Only a path within the console: whoever made the form must not send people elsewhere. */
    static String safe(@Nullable String path) {
        boolean within = path != null
                && path.startsWith("/")
                && !path.startsWith("//")
                && path.indexOf('\\') < 0
                && path.chars().noneMatch(Character::isISOControl);
        return within ? path : "/";
    }
}
