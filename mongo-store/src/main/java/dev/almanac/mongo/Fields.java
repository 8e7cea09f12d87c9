package dev.almanac.mongo;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Reads and writes single fields. Absent values are absent fields; a field of another type is damage. */
final class Fields {
    /** Far beyond any number of edits; and up to here a double is as exact as a long. */
    private static final long LAST_VERSION = 1L << 53;

    private Fields() {}

    static void put(Document document, String field, @Nullable Object value) {
        if (value instanceof Instant instant) {
            document.append(field, Date.from(instant));
        } else if (value instanceof Duration || value instanceof Enum<?>) {
            document.append(field, value.toString());
        } else if (value != null) {
            document.append(field, value);
        }
    }

    /** What {@link #put} would have put. */
    static void write(BsonWriter to, Object value, CodecRegistry codecs) {
        if (value instanceof String text) {
            to.writeString(text);
        } else if (value instanceof Instant instant) {
            to.writeDateTime(instant.toEpochMilli());
        } else if (value instanceof Date date) {
            to.writeDateTime(date.getTime());
        } else if (value instanceof Long number) {
            to.writeInt64(number);
        } else if (value instanceof Integer number) {
            to.writeInt32(number);
        } else if (value instanceof ObjectId id) {
            to.writeObjectId(id);
        } else if (value instanceof Duration || value instanceof Enum<?>) {
            to.writeString(value.toString());
        } else {
            encode(to, value, codecs);
        }
    }

    @SuppressWarnings("unchecked")
    private static <V> void encode(BsonWriter to, V value, CodecRegistry codecs) {
        codecs.get((Class<V>) value.getClass())
                .encode(to, value, EncoderContext.builder().build());
    }

    static void put(Document document, String field, Optional<?> value) {
        value.ifPresent(present -> put(document, field, present));
    }

    static <T> @Nullable T optional(Document document, String field, Class<T> type) {
        Object value = document.get(field);
        if (value == null) {
            return null;
        }
        if (!type.isInstance(value)) {
            throw new DamagedDocumentException(
                    "field '" + field + "' is a " + kind(value) + ", not a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    private static String kind(Object value) {
        return (value instanceof Document ? Document.class : value.getClass()).getSimpleName();
    }

    static <T> T required(Document document, String field, Class<T> type) {
        T value = optional(document, field, type);
        if (value == null) {
            throw new DamagedDocumentException("field '" + field + "' is missing");
        }
        return value;
    }

    /** What each document of a list is read as; empty if there is none. */
    static <T> List<T> list(Document document, String field, Function<Document, T> read) {
        List<Document> list = document.getList(field, Document.class, List.of());
        return list.isEmpty() ? List.of() : list.stream().map(read).toList();
    }

    static @Nullable Instant instant(Document document, String field) {
        Date date = optional(document, field, Date.class);
        return date == null ? null : date.toInstant();
    }

    static @Nullable Duration duration(Document document, String field) {
        String text = optional(document, field, String.class);
        try {
            return text == null ? null : Duration.parse(text);
        } catch (java.time.format.DateTimeParseException e) {
            throw new DamagedDocumentException("field '" + field + "' is no duration: '" + text + "'");
        }
    }

    static long number(Document document, String field) {
        Object value = document.get(field);
        Long whole = value == null ? Long.valueOf(0) : whole(value);
        if (whole == null) {
            throw new DamagedDocumentException("field '" + field + "' is no whole number, or too large: " + value);
        }
        return whole;
    }

    /**
     * A whole number; absent if it is none, or one that the server does not compare as equal to the long that would be
     * read here: no guard would match it.
     */
    static @Nullable Long whole(@Nullable Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        // the Mongo shell turns numbers that people type into doubles
        double typed = value instanceof Number number ? number.doubleValue() : Double.NaN;
        return typed == Math.rint(typed) && Math.abs(typed) <= LAST_VERSION ? (long) typed : null;
    }

    /** A counter that every document has. */
    static long counter(Document document, String field, long least) {
        if (document.get(field) == null) {
            throw new DamagedDocumentException("field '" + field + "' is missing");
        }
        long value = number(document, field);
        if (value < least) {
            throw new DamagedDocumentException("field '" + field + "' is " + value + ", less than " + least);
        }
        return value;
    }

    /** The version of a document; 0 if a person has made it one that no edit can follow. */
    static long versionOrZero(Document document) {
        Long version = whole(document.get("version"));
        return version == null || version < 1 || version > LAST_VERSION ? 0 : version;
    }

    static long version(Document document) {
        long version = versionOrZero(document);
        if (version == 0) {
            throw new DamagedDocumentException("field 'version' is " + document.get("version") + ", no version");
        }
        return version;
    }

    static boolean flag(Document document, String field) {
        return Boolean.TRUE.equals(optional(document, field, Boolean.class));
    }

    static <E extends Enum<E>> E oneOf(Document document, String field, E otherwise) {
        String text = optional(document, field, String.class);
        if (text == null) {
            return otherwise;
        }
        try {
            return Enum.valueOf(otherwise.getDeclaringClass(), text);
        } catch (IllegalArgumentException e) {
            throw new UnknownValueException("field '" + field + "' has the unknown value '" + text + "'");
        }
    }
}
