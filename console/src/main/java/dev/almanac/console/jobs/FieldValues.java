package dev.almanac.console.jobs;

import dev.almanac.console.terminal.EnumText;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The values of options or of a file, by name, and their problems. Not thread-safe. */
final class FieldValues {
    private final Map<String, Object> values;
    private final List<Problem> problems = new ArrayList<>();

    FieldValues(Map<String, Object> values) {
        this.values = values;
    }

    List<Problem> problems() {
        return problems;
    }

    void wrong(JobField field, @Nullable Object value, String advice) {
        problems.add(new Problem(field.stored(), value == null ? null : value.toString(), field.rule(), advice));
    }

    boolean has(JobField field) {
        return values.get(field.given()) != null;
    }

    @Nullable
    String text(JobField field) {
        Object value = values.get(field.given());
        if (value instanceof Map<?, ?> || value instanceof List<?>) {
            wrong(field, value, "is not one word; write one value");
            return null;
        }
        return value == null ? null : value.toString();
    }

    List<String> texts(JobField field) {
        Object value = values.get(field.given());
        if (value instanceof List<?> items) {
            return items.stream().map(String::valueOf).toList();
        }
        String text = text(field);
        return text == null ? List.of() : List.of(text);
    }

    @Nullable
    Object raw(JobField field) {
        return values.get(field.given());
    }

    void take(JobField field, Consumer<String> set) {
        String text = text(field);
        if (text != null) {
            set.accept(text);
        }
    }

    /** @param read throws IllegalArgumentException with the allowed forms */
    <T> void take(JobField field, Function<String, T> read, Consumer<T> set) {
        String text = text(field);
        if (text == null) {
            return;
        }
        try {
            set.accept(read.apply(text));
        } catch (IllegalArgumentException e) {
            wrong(field, text, String.valueOf(e.getMessage()));
        }
    }

    static <E extends Enum<E>> Function<String, E> word(Class<E> type) {
        return text -> EnumText.of(type, text);
    }

    static MissedFirePolicy missed(String text) {
        try {
            return MissedFirePolicy.parse(text.replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is none of SKIP, RUN_LATEST, RUN_ALL, RUN_ALL(1 to 10000)");
        }
    }

    static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is no whole number");
        }
    }

    static boolean yes(String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (!word.equals("true") && !word.equals("false")) {
            throw new IllegalArgumentException("is neither true nor false");
        }
        return word.equals("true");
    }
}
