package dev.almanac.web.page;

import org.jspecify.annotations.Nullable;

/** The page to return to after a form. */
public final class ReturnAddress {
    private ReturnAddress() {}

    /** The path if it is within the console, so that a forged form cannot redirect to another site. */
    public static String safe(@Nullable String path) {
        boolean within = path != null
                && path.startsWith("/")
                && !path.startsWith("//")
                && path.indexOf('\\') < 0
                && path.chars().noneMatch(Character::isISOControl);
        return within ? path : "/";
    }
}
