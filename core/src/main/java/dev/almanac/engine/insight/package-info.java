/**
 * Read-only questions: why a job has not run ({@code Explainer}), which invariants of the stored state are violated
 * ({@code InvariantCheck}, which also writes rows that a crash left out), and the state of the node
 * ({@code NodeSnapshot}). Start with {@code Insight}.
 */
@NullMarked
package dev.almanac.engine.insight;

import org.jspecify.annotations.NullMarked;
