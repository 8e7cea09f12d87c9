package dev.almanac.mongo;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A field of a document, and the value that it is made from: for whole documents, and for what differs between two. An
 * absent value is an absent field.
 *
 * @param <T> what the document shows
 * @param encode makes of a value what is stored, as far as {@link Fields#put} does not
 */
record Field<T>(String name, Function<T, @Nullable Object> value, Function<Object, Object> encode) {

    static <T> Field<T> of(String name, Function<T, ? extends @Nullable Object> value) {
        return of(name, value, Function.identity());
    }

    @SuppressWarnings("unchecked")
    static <T, V> Field<T> of(String name, Function<T, ? extends @Nullable V> value, Function<? super V, ?> encode) {
        return new Field<>(name, (Function<T, @Nullable Object>) value, (Function<Object, Object>) encode);
    }

    /** True, or absent. */
    static <T> Field<T> ofFlag(String name, Predicate<T> value) {
        return of(name, from -> value.test(from) ? true : null);
    }

    /** Absent if it is 0. */
    static <T> Field<T> ofNumber(String name, Function<T, ? extends Number> value) {
        return of(name, from -> {
            Number number = value.apply(from);
            return number.longValue() == 0 ? null : number;
        });
    }

    /** Absent if it is empty. */
    static <T, V> Field<T> ofList(String name, Function<T, List<V>> value, Function<? super V, ?> encode) {
        return of(
                name,
                from -> {
                    List<V> list = value.apply(from);
                    return list.isEmpty() ? null : list;
                },
                (List<V> list) -> list.stream().map(encode).toList());
    }

    /** The same field of a document that is itself a field. */
    Field<T> inside(String document) {
        return new Field<>(document + '.' + name, value, encode);
    }

    void put(Document to, T from) {
        Object present = value.apply(from);
        if (present != null) {
            Fields.put(to, name, encode.apply(present));
        }
    }

    /** @param codecs of values that are documents or lists */
    void write(BsonWriter to, T from, CodecRegistry codecs) {
        Object present = value.apply(from);
        if (present != null) {
            to.writeName(name);
            Fields.write(to, encode.apply(present), codecs);
        }
    }

    /** If the values differ, what a change sets or unsets. */
    void change(T before, T after, Edit edit) {
        Object now = value.apply(after);
        if (Objects.equals(value.apply(before), now)) {
            return;
        }
        if (now == null) {
            edit.unset(name);
        } else {
            edit.set(name, encode.apply(now));
        }
    }
}
