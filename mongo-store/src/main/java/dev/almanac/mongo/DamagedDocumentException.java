package dev.almanac.mongo;

/** A document cannot be read as a job or row: a field is missing, of another type, or of an unknown value. */
class DamagedDocumentException extends RuntimeException {
    DamagedDocumentException(String message) {
        super(message);
    }
}
