package dev.almanac.web.json;

import dev.almanac.text.Printable;
import java.io.PrintWriter;
import tools.jackson.databind.json.JsonMapper;

/** Answers as JSON, one object on one line; what is absent is left out. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    /** The answer on one line, without a line end; characters that could harm a terminal are escaped as JSON allows. */
    public static String text(Object answer) {
        // outside of strings there is nothing to escape, and inside of them controls are escaped already
        return Printable.escaped(MAPPER.writeValueAsString(answer));
    }

    /** An answer that holds a list of any length, written item by item. */
    public static final class Listing implements AutoCloseable {
        private final PrintWriter out;
        private boolean begun;

        /** @param name of the list */
        public Listing(PrintWriter out, String name) {
            this.out = out;
            out.print("{" + text(name) + ":[");
        }

        /** Writes one item. */
        public void item(Fields item) {
            out.print((begun ? "," : "") + text(item.map()));
            begun = true;
        }

        /** Ends the list, adds the other fields, and ends the answer. */
        public void end(Fields rest) {
            out.print("]");
            rest.map().forEach((name, value) -> out.print("," + text(name) + ":" + text(value)));
            out.println("}");
        }

        @Override
        public void close() {
            out.flush();
        }
    }
}
