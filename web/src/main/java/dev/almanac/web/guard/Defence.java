package dev.almanac.web.guard;

/** What protects the console. All of them are always on; tests leave one out to show what it keeps away. */
public enum Defence {
    /** A name of a host that is not the console's: a page elsewhere that had its name point here. */
    HOST,
    /** Requests that are larger than any that the console makes. */
    SIZE,
    /** More requests than people make. */
    RATE,
    /** A form on another page that is sent here: the browser says where it comes from. */
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
