package dev.almanac.mongo;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks whether a command is equal after encoding and decoding, as far as that can be determined. */
final class RoundTrip {
    private RoundTrip() {}

    /**
     * Compares records, collections and arrays by their contents, other classes by {@code equals} if they define it.
     */
    static boolean isSame(@Nullable Object before, @Nullable Object after) {
        if (before == null || after == null || before.equals(after)) {
            return before == after || before != null && before.equals(after);
        }
        if (before instanceof Number one && after instanceof Number other) {
            // in a place without a type of its own a number may come back as another kind of number
            return isSameNumber(one, other);
        }
        if (before instanceof Map<?, ?> one && after instanceof Map<?, ?> other) {
            return one.keySet().equals(other.keySet())
                    && one.keySet().stream().allMatch(key -> isSame(one.get(key), other.get(key)));
        }
        if (before instanceof Collection<?> one && after instanceof Collection<?> other) {
            return areSame(one, other);
        }
        if (before instanceof Optional<?> one && after instanceof Optional<?> other) {
            return isSame(one.orElse(null), other.orElse(null));
        }
        return before.getClass() == after.getClass() && isSameInside(before, after);
    }

    private static boolean isSameNumber(Number one, Number other) {
        if (isNegativeZero(one) != isNegativeZero(other)) {
            return false;
        }
        try {
            return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0;
        } catch (NumberFormatException noFiniteNumber) {
            return false;
        }
    }

    private static boolean isNegativeZero(Number number) {
        return number.doubleValue() == 0 && 1 / number.doubleValue() < 0;
    }

    private static boolean areSame(Collection<?> one, Collection<?> other) {
        if (one.size() != other.size()) {
            return false;
        }
        if (one instanceof Set<?>) {
            return one.stream().allMatch(item -> other.stream().anyMatch(candidate -> isSame(item, candidate)));
        }
        Iterator<?> items = other.iterator();
        return one.stream().allMatch(item -> isSame(item, items.next()));
    }

    private static boolean isSameInside(Object before, Object after) {
        if (before.getClass().isArray()) {
            int length = Array.getLength(before);
            boolean same = length == Array.getLength(after);
            for (int i = 0; same && i < length; i++) {
                same = isSame(Array.get(before, i), Array.get(after, i));
            }
            return same;
        }
        if (before instanceof Record) {
            for (RecordComponent component : before.getClass().getRecordComponents()) {
                if (!isSame(value(component, before), value(component, after))) {
                    return false;
                }
            }
            return true;
        }
        return !definesEquality(before.getClass());
    }

    private static @Nullable Object value(RecordComponent component, Object record) {
        try {
            return component.getAccessor().trySetAccessible()
                    ? component.getAccessor().invoke(record)
                    : null;
        } catch (ReflectiveOperationException unreadable) {
            return null;
        }
    }

    private static boolean definesEquality(Class<?> type) {
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException everyClassHasOne) {
            return true;
        }
    }
}
