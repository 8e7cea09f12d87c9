package dev.almanac.console.terminal;

import java.io.PrintWriter;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** Answers as JSON, one object on one line; what is absent is left out. */
public final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private Json() {}

    /** The answer on one line, without its end. */
    public static String text(Object answer) {
        return MAPPER.writeValueAsString(answer);
    }

    /** An answer that holds a list of any length, written item by item. */
    public static final class Listing implements AutoCloseable {
        private final JsonGenerator generator;
        private final PrintWriter out;

        /** @param name of the list */
        public Listing(PrintWriter out, String name) {
            this.out = out;
            this.generator = MAPPER.createGenerator(out);
            generator.writeStartObject();
            generator.writeArrayPropertyStart(name);
        }

        /** Writes one item. */
        public void item(Map<String, Object> item) {
            MAPPER.writeValue(generator, item);
        }

        /** Ends the list, adds what else there is to say, and ends the answer. */
        public void end(Map<String, Object> rest) {
            generator.writeEndArray();
            rest.forEach((name, value) -> generator.writePOJOProperty(name, value));
            generator.writeEndObject();
            generator.flush();
            out.println();
        }

        @Override
        public void close() {
            out.flush();
        }
    }
}
