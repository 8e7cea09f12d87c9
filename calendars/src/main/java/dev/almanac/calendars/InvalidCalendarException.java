package dev.almanac.calendars;

import org.jspecify.annotations.Nullable;

/** A calendar was refused: names the field, the value and the reason. */
public final class InvalidCalendarException extends IllegalArgumentException {
    private final String field;

    InvalidCalendarException(String field, @Nullable String value, String reason) {
        super(field + (value == null ? "" : " '" + value + "'") + " " + reason);
        this.field = field;
    }

    /** The field as configuration names it. */
    public String field() {
        return field;
    }
}
