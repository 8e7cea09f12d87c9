package dev.almanac.web.guard;

/** What protects the console. All of them are always on; tests remove one to show that the attack then succeeds. */
public enum Defence {
    /** A host name that is not the console's: another site whose name resolves to this address (DNS rebinding). */
    HOST,
    /** Requests that are larger than any that the console makes. */
    SIZE,
    /** More requests than a person makes. */
    RATE,
    /** A form on another page that is sent here: the browser reports its origin. */
    ORIGIN,
    /** A form that was not made by this console for this browser. */
    FORM_TOKEN,
    /** A page of the console inside another page. */
    FRAMES,
    /** Scripts and styles that are not the console's own files. */
    CONTENT,
    /** Copies of pages on the disk of the browser or of a proxy. */
    CACHE,
    /** Cookies that go along with requests of other pages. */
    COOKIES
}
