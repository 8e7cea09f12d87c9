package dev.almanac.engine.rules;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Into how many documents per command a batch is split that got no answer in time (rule X3). One document that stalls
 * must be alone in the end; but a server that is only slow must not receive hundreds of commands instead of one, or it
 * stays slow. Pure.
 *
 * <p>A renewal is sent after a third of the trust window and up to a step of a twentieth, and each of its two splits a
 * sixth and a step later. So the single commands are sent before five sixths of the window are over.
 */
public final class BatchSplit {
    /** A batch of so many is split into single documents at once. */
    private static final int SMALL = 64;

    private BatchSplit() {}

    /**
     * @param size of the batch that got no answer; at least 1
     * @return how many documents the next commands contain at most; up to 4 096 become single ones with the second split
     */
    public static int next(int size) {
        return size <= SMALL ? 1 : (int) Math.ceil(Math.sqrt(size));
    }

    /**
     * @param size of each part but the last, which may be smaller; at least 1
     * @return views of the list, in its order; none if it is empty
     */
    public static <T> List<List<T>> parts(List<T> all, int size) {
        return IntStream.iterate(0, from -> from < all.size(), from -> from + size)
                .mapToObj(from -> all.subList(from, Math.min(all.size(), from + size)))
                .toList();
    }
}
