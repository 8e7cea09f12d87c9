package dev.almanac.engine.run;

import java.util.concurrent.Executor;

/**
 * Where code of the service runs, which may hang: never on a lane of the engine (rule X1).
 *
 * @param executor calls the helpers; the service's own or the node's
 * @param handOver where the executor is given its runs, since it may block
 * @param aside where runs are asked to end, and calendars are asked; a thread for each step
 */
public record RunThreads(Executor executor, Executor handOver, Executor aside) {}
