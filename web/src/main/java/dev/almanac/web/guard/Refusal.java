package dev.almanac.web.guard;

/** A request that is refused. The text is shown to the viewer and holds no data of the store. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int BAD_REQUEST = 400;

    private final int status;
    private final boolean asksForToken;

    /** @param status of HTTP */
    public Refusal(int status, String text) {
        this(status, text, false);
    }

    /**
     * @param status of HTTP
     * @param asksForToken whether the page asks for an access token
     */
    public Refusal(int status, String text, boolean asksForToken) {
        super(text, null, false, false);
        this.status = status;
        this.asksForToken = asksForToken;
    }

    /** A request that is wrong in itself. */
    public static Refusal badRequest(String text) {
        return new Refusal(BAD_REQUEST, text);
    }

    /** Whether the page asks for an access token. */
    public boolean asksForToken() {
        return asksForToken;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }
}
