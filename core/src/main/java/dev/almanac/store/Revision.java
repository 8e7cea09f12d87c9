package dev.almanac.store;

/**
 * Which writes a document shows (rule N6).
 *
 * @param number rises with every write of the document but renewals and progress; each change is guarded by it
 * @param change the newest change, as random bits that its sender has drawn: one draw for each call of a user, and for
 *     each batch of a holder; 0 = none
 * @param endChange the newest change that has ended a claim
 * @param userChange the newest change that a user has asked for
 */
public record Revision(long number, long change, long endChange, long userChange) {
    /** Of a document that was stored and never written again. */
    public static final Revision FIRST = new Revision(0, 0, 0, 0);

    /** After a write that is no change, such as a claim. */
    public Revision raised() {
        return after(this);
    }

    /** The same changes, in the write that follows another one. */
    Revision after(Revision before) {
        return new Revision(before.number + 1, change, endChange, userChange);
    }

    boolean follows(Revision before) {
        return number == before.number + 1;
    }

    Revision with(long drawn, boolean ends, boolean ofUser) {
        return new Revision(number, drawn, ends ? drawn : endChange, ofUser ? drawn : userChange);
    }

    /** Whether the newest change is one that a user has asked for. */
    public boolean isOfUser() {
        return userChange != 0 && change == userChange;
    }

    /** Whether the document shows that change, or shows that it was made before others. */
    boolean shows(Revision written) {
        return written.change != 0
                && (change == written.change || endChange == written.change || userChange == written.change);
    }
}
