package dev.almanac.mongo;

/** A value that this version, on this machine, does not know; another may (rule X6). */
final class UnknownValueException extends DamagedDocumentException {
    private static final long serialVersionUID = 1;

    UnknownValueException(String message) {
        super(message);
    }
}
