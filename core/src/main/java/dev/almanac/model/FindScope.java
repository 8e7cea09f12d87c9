package dev.almanac.model;

/** Which jobs a search by key may return. */
public enum FindScope {
    /** Only a live one. */
    LIVE,
    /** A live one, else the one that finished last and has not expired yet. */
    INCLUDING_FINISHED
}
