package dev.almanac.config;

import java.util.function.BiConsumer;

/**
 * A key, what its value may be, and where it goes.
 *
 * @param <B> what collects the settings
 * @param <T> the value
 * @param key below {@code almanac}
 * @param kind what it may be
 * @param into takes the value
 */
record Setting<B, T>(String key, Kind<T> kind, BiConsumer<B, T> into) {
    void read(ConfigReader reader, B builder) {
        T value = reader.read(key, kind);
        if (value != null) {
            into.accept(builder, value);
        }
    }
}
