package dev.almanac.console;

import dev.almanac.time.InvalidCronException;
import java.time.DateTimeException;

final class InvalidFieldException extends IllegalArgumentException {
    private final String field;
    private final int column;
    private final String reason;

    InvalidFieldException(String field, int column, String reason) {
        super(field + ": " + reason);
        this.field = field;
        this.column = column;
        this.reason = reason;
    }

    private InvalidFieldException(InvalidCronException cron) {
        super(String.valueOf(cron.getMessage()));
        this.field = cron.field();
        this.column = cron.column();
        this.reason = cron.reason();
    }

    static InvalidFieldException of(String field, RuntimeException e) {
        if (e instanceof InvalidFieldException bad) {
            return bad;
        }
        if (e instanceof InvalidCronException cron) {
            return new InvalidFieldException(cron);
        }
        if (e instanceof DateTimeException || e instanceof IllegalArgumentException) {
            return new InvalidFieldException(field, 1, String.valueOf(e.getMessage()));
        }
        throw e;
    }

    /** As a line of a batch. */
    String line() {
        return "invalid\t" + field + "\t" + column + "\t" + reason.replaceAll("[\t\r\n]+", " ");
    }
}
