package dev.almanac.testkit.memory;

import dev.almanac.store.StoredJob;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which lives of each key are stored. Guarded by the monitor of its store. */
final class InMemoryLives {
    private final Map<String, NavigableMap<Integer, String>> byKey = new HashMap<>();

    boolean isFree(String key, @Nullable Integer life) {
        return life == null || !of(key).containsKey(life);
    }

    void add(StoredJob job, @Nullable Integer life) {
        if (life != null) {
            byKey.computeIfAbsent(job.key(), key -> new TreeMap<>()).put(life, job.id());
        }
    }

    void remove(StoredJob job) {
        byKey.computeIfPresent(job.key(), (key, lives) -> {
            lives.values().removeIf(job.id()::equals);
            return lives.isEmpty() ? null : lives;
        });
    }

    Optional<Integer> last(String key) {
        NavigableMap<Integer, String> lives = of(key);
        return lives.isEmpty() ? Optional.empty() : Optional.of(lives.lastKey());
    }

    private NavigableMap<Integer, String> of(String key) {
        return byKey.getOrDefault(key, new TreeMap<>());
    }
}
