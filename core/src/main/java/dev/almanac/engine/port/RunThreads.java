package dev.almanac.engine.port;

import java.util.concurrent.Executor;

/**
 * The threads for code of the service, which may hang and never runs on the kernel or a lane (rule X1).
 *
 * @param executor calls the helpers; the service's own or the node's
 * @param handOver gives runs to the executor, which may block
 * @param ownThreads cancels runs and calls calendars; each step has a thread of its own
 */
public record RunThreads(Executor executor, Executor handOver, Executor ownThreads) {}
