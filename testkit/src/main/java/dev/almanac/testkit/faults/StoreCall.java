package dev.almanac.testkit.faults;

/** The methods of {@link dev.almanac.store.JobStore} that go over a network, all but the codec. */
public enum StoreCall {
    /** {@code open}. */
    OPEN,
    /** {@code serverTime}. */
    SERVER_TIME,
    /** {@code insert}. */
    INSERT,
    /** {@code find}. */
    FIND,
    /** {@code load}. */
    LOAD,
    /** {@code list}. */
    LIST,
    /** {@code rows}. */
    ROWS,
    /** {@code due}. */
    DUE,
    /** {@code claim}. */
    CLAIM,
    /** {@code renew}. */
    RENEW,
    /** {@code write}. */
    WRITE,
    /** {@code report}. */
    REPORT,
    /** {@code purge}. */
    PURGE
}
