package dev.almanac.model;

/** When a recurring job fires for the first time. */
public enum FirstFire {
    /** As its schedule says: the first fire after the job was stored. The default. */
    SCHEDULE,
    /**
     * At once when the job is created, and once more when its schedule is changed; then as its schedule says. Such a fire
     * counts for {@code maxFires}.
     */
    NOW
}
