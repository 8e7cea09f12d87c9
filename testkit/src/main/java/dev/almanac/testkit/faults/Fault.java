package dev.almanac.testkit.faults;

import java.time.Duration;

/**
 * What happens to one call.
 *
 * @param kind which way it goes
 * @param request how long the request, or the part of it that is late, is under way; zero or more
 * @param reply how long the caller then waits for the answer, or until it gives up; zero or more
 */
public record Fault(Kind kind, Duration request, Duration reply) {
    /** Which way a call goes. */
    public enum Kind {
        /** No failure, but it takes time. */
        SLOW,
        /** The request never arrives; the caller gets a StoreException. */
        LOSE_REQUEST,
        /** The store applies the request; the caller gets a StoreException all the same. */
        LOSE_REPLY,
        /** The caller gives up with a StoreException, and the request arrives after that. */
        LATE,
        /** The request is answered as it should be, and unless it is refused a copy of it arrives later once more. */
        TWICE,
        /**
         * The sender or the server goes down in the middle of a write: of each change only what its order puts first
         * is applied, rows or document, and of each new job its document. Of other requests nothing is. The caller
         * gets a StoreException.
         */
        TORN,
        /**
         * The two halves of a write are two operations: time passes between them, in which others may come first. All is
         * well, but for what they do. Other requests are slow.
         */
        SPLIT
    }

    /** The request never arrives, and the caller gets an exception at once. */
    public static final Fault LOSE_REQUEST = new Fault(Kind.LOSE_REQUEST, Duration.ZERO, Duration.ZERO);
    /** The store applies the request, and its reply is lost. */
    public static final Fault LOSE_REPLY = new Fault(Kind.LOSE_REPLY, Duration.ZERO, Duration.ZERO);
    /** Only the first half is applied. */
    public static final Fault TORN = new Fault(Kind.TORN, Duration.ZERO, Duration.ZERO);

    /** @throws IllegalArgumentException if a duration is negative */
    public Fault {
        if (request.isNegative() || reply.isNegative()) {
            throw new IllegalArgumentException("a request of " + request + " or a reply of " + reply + " is negative");
        }
    }

    /** The request takes so long to arrive, and the answer so long to come back. */
    public static Fault slow(Duration request, Duration reply) {
        return new Fault(Kind.SLOW, request, reply);
    }

    /** The request arrives so long after the caller has given up. */
    public static Fault late(Duration delay) {
        return new Fault(Kind.LATE, delay, Duration.ZERO);
    }

    /** A copy of the request arrives so long after the request itself. */
    public static Fault twice(Duration delay) {
        return new Fault(Kind.TWICE, delay, Duration.ZERO);
    }
}
