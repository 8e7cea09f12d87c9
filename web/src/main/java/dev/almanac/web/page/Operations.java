package dev.almanac.web.page;

import dev.almanac.web.guard.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes, each of which is carried out once. A form of a change contains an id that was made for it and its author; a
 * form that is sent again shows what the first one did. Ids are good for an hour, in the process that has made them; that
 * of an operation that goes on in the background until an hour after its end. Thread-safe.
 */
final class Operations {
    static final String UNKNOWN =
            "This form is older than an hour, or of another process of the console. Nothing was done;"
                    + " check what would be done, then confirm again.";

    private static final String FAILED =
            "This form was sent before and failed; what it did is not known. Look at what it was for, then begin again.";

    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final long GOOD_NANOS = Duration.ofHours(1).toNanos();
    private static final int MOST = 10_000;
    private static final int MOST_RESULTS = 500;

    private static final long IN_PROGRESS = Long.MIN_VALUE;

    private final SealedKeys seals = new SealedKeys();
    private final LongSupplier nanos;
    /** Ids of operations that were begun, with the time at which each id was made; the oldest begun is first. */
    private final Map<String, Long> begun = new LinkedHashMap<>();
    /** When operations of the background have ended; {@link #IN_PROGRESS} before. */
    private final Map<String, Long> lasting = new HashMap<>();
    /** What they did; complete when they have ended. */
    private final Map<String, CompletableFuture<Object>> results = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CompletableFuture<Object>> eldest) {
            return size() > MOST_RESULTS;
        }
    };

    Operations(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A new id. */
    String fresh(String author) {
        return seals.seal(nanos.getAsLong() + " " + mark(author));
    }

    private static String mark(String author) {
        return UUID.nameUUIDFromBytes(author.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** When the id was made; absent if it was not made here for this author, or is too old. */
    private @Nullable Long made(@Nullable String id, String author) {
        String[] words =
                id == null ? new String[0] : seals.tryOpen(id).orElse("").split(" ");
        if (words.length != 2 || !words[1].equals(mark(author))) {
            return null;
        }
        long made = Long.parseLong(words[0]);
        return isGood(String.valueOf(id), made) ? made : null;
    }

    private synchronized boolean isGood(String id, long made) {
        long since = lasting.getOrDefault(id, made);
        return since == IN_PROGRESS || nanos.getAsLong() - since <= GOOD_NANOS;
    }

    /**
     * Notes that an operation goes on in the background.
     *
     * @return to be run when it has ended
     */
    synchronized Runnable goesOn(String id) {
        lasting.put(id, IN_PROGRESS);
        return () -> {
            synchronized (this) {
                lasting.put(id, nanos.getAsLong());
            }
        };
    }

    /** Whether an operation of this id can be, or was, carried out. */
    boolean isKnown(@Nullable String id, String author) {
        return made(id, author) != null;
    }

    /**
     * What the operation did, if it was begun; waits for its end.
     *
     * @throws Refusal if that is not stored any more, was another change, or is not known since it failed; as it was refused if it was
     */
    <T> Optional<T> result(@Nullable String id, String author, Class<T> type) {
        if (id == null || made(id, author) == null) {
            return Optional.empty();
        }
        CompletableFuture<Object> result;
        synchronized (this) {
            result = results.get(id);
            if (result == null && begun.containsKey(id)) {
                throw new Refusal(
                        CONFLICT,
                        "This form was sent before, and carried out once; its result is not stored any more. Nothing was"
                                + " done again.");
            }
        }
        Object ended = result == null ? null : ended(result);
        if (ended != null && !type.isInstance(ended)) {
            throw new Refusal(CONFLICT, "This form was sent before for another change. Nothing was done again.");
        }
        return Optional.ofNullable(ended).map(type::cast);
    }

    /**
     * Carries it out, unless that was begun before.
     *
     * @param id that is known
     * @return what it did the first time
     */
    <T> T once(String id, String author, Class<T> type, Supplier<T> deed) {
        Optional<T> before = result(id, author, type);
        CompletableFuture<Object> mine = before.isPresent() ? null : begin(id, author);
        if (mine == null) {
            return before.or(() -> result(id, author, type)).orElseThrow();
        }
        try {
            T result = deed.get();
            mine.complete(result);
            return result;
        } catch (RuntimeException | Error failed) {
            mine.completeExceptionally(failed);
            throw failed;
        }
    }

    private synchronized @Nullable CompletableFuture<Object> begin(String id, String author) {
        Long made = made(id, author);
        if (made == null || begun.containsKey(id)) {
            return null;
        }
        begun.entrySet().removeIf(one -> !isGood(one.getKey(), one.getValue()));
        lasting.keySet().retainAll(begun.keySet());
        if (begun.size() >= MOST) {
            throw new Refusal(TOO_MANY, MOST + " changes were made within an hour; nothing was done. Wait a moment.");
        }
        CompletableFuture<Object> mine = new CompletableFuture<>();
        begun.put(id, made);
        results.put(id, mine);
        return mine;
    }

    private static Object ended(CompletableFuture<Object> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            } else if (e.getCause() instanceof Refusal refused) {
                throw refused;
            }
            throw new Refusal(CONFLICT, FAILED);
        }
    }
}
