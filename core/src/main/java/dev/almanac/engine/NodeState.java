package dev.almanac.engine;

import dev.almanac.engine.node.Stage;
import dev.almanac.store.StoreReport;
import org.jspecify.annotations.Nullable;

/**
 * How far a node has come, at one moment.
 *
 * @param stage how far
 * @param rehydrated whether it claims, or has claimed
 * @param duties absent before it was started
 * @param opened what the store said; absent before it was opened
 */
public record NodeState(
        Stage stage,
        boolean rehydrated,
        @Nullable Duties duties,
        @Nullable StoreReport opened) {}
