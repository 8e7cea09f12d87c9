package dev.almanac.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job is held back: it is not claimed until it is resumed.
 *
 * @param reason why, for people
 * @param author who paused it
 * @param until when the pause ends by itself; absent = only by a resume
 */
public record Pause(String reason, String author, @Nullable Instant until) {}
