/**
 * Answers, which only read: why a job has not run ({@code Explainer}), what became of its fires ({@code FireReader}), and
 * the state of the node ({@code NodeSnapshot}, {@code HealthDecider}). Start with {@code Insight}.
 */
@NullMarked
package dev.almanac.engine.insight;

import org.jspecify.annotations.NullMarked;
