package dev.almanac.mongo;

/** A value that this version does not support on this machine; another may (rule X6). */
final class UnknownValueException extends DamagedDocumentException {
    private static final long serialVersionUID = 1;

    UnknownValueException(String message) {
        super(message);
    }
}
