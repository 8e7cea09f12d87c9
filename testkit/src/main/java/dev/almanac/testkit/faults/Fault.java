package dev.almanac.testkit.faults;

import java.time.Duration;

/**
 * What happens to one call.
 *
 * @param kind which way it goes wrong
 * @param delay how long the late part is under way, zero or more; zero for the kinds that have none
 */
public record Fault(Kind kind, Duration delay) {
    /** Which way a call goes wrong. */
    public enum Kind {
        /** The request never arrives; the caller gets a StoreException. */
        LOSE_REQUEST,
        /** The store applies the request; the caller gets a StoreException all the same. */
        LOSE_REPLY,
        /** The caller gives up with a StoreException, and the request arrives after that. */
        LATE,
        /** The request is answered as it should be, and a copy of it arrives later once more. */
        TWICE
    }

    /** The request never arrives. */
    public static final Fault LOSE_REQUEST = new Fault(Kind.LOSE_REQUEST, Duration.ZERO);
    /** The store applies the request, and the caller never learns. */
    public static final Fault LOSE_REPLY = new Fault(Kind.LOSE_REPLY, Duration.ZERO);

    /** @throws IllegalArgumentException if the delay is negative */
    public Fault {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay " + delay + " is negative");
        }
    }

    /** The request arrives so long after the caller has given up. */
    public static Fault late(Duration delay) {
        return new Fault(Kind.LATE, delay);
    }

    /** A copy of the request arrives so long after the request itself. */
    public static Fault twice(Duration delay) {
        return new Fault(Kind.TWICE, delay);
    }
}
