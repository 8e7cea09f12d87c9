package dev.almanac.web.guard;

import dev.almanac.text.Printable;
import java.util.List;

/** A request that is refused. The text is shown to the viewer and holds no data of the store. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int BAD_REQUEST = 400;

    private final int status;
    private final boolean asksForToken;
    private final transient List<String> problems;

    /** @param status of HTTP */
    public Refusal(int status, String text) {
        this(status, text, false);
    }

    private Refusal(int status, List<String> problems, boolean asksForToken) {
        super(String.join("; ", problems), null, false, false);
        this.status = status;
        this.asksForToken = asksForToken;
        this.problems = List.copyOf(problems);
    }

    /**
     * @param status of HTTP
     * @param asksForToken whether the page asks for an access token
     */
    public Refusal(int status, String text, boolean asksForToken) {
        this(status, List.of(text), asksForToken);
    }

    /** A request that is wrong in itself. */
    public static Refusal badRequest(String text) {
        return new Refusal(BAD_REQUEST, text);
    }

    /**
     * A value that is wrong; the text names it.
     *
     * @param typed as the viewer has written it
     * @param wrong what is wrong with it, and what is expected: a sentence without its subject
     */
    public static Refusal ofValue(String name, String typed, String wrong) {
        return badRequest(name + " '" + Printable.value(typed) + "' " + wrong);
    }

    /** A request that is wrong in several ways. */
    public static Refusal badRequest(List<String> problems) {
        return new Refusal(BAD_REQUEST, problems, false);
    }

    /** Each thing that is wrong; its text, if there is only one. */
    public List<String> problems() {
        return problems;
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
