package dev.almanac.mongo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.bson.types.Decimal128;

/** The bodies of commands: plain values on this side, documents on the server's. Equal bodies stay equal. */
final class CommandBodies {
    private CommandBodies() {}

    static Map<String, Object> plain(Map<?, ?> document) {
        return copied(
                document,
                LinkedHashMap::new,
                value -> value instanceof Decimal128 exact ? exact.bigDecimalValue() : value);
    }

    static Document document(Map<?, ?> plain) {
        return copied(plain, Document::new, value -> value instanceof BigDecimal exact ? new Decimal128(exact) : value);
    }

    private static <M extends Map<String, Object>> M copied(
            Map<?, ?> from, Supplier<M> empty, UnaryOperator<Object> single) {
        M to = empty.get();
        from.forEach((key, value) -> to.put(String.valueOf(key), copied(value, empty, single)));
        return to;
    }

    private static <M extends Map<String, Object>> Object copied(
            Object value, Supplier<M> empty, UnaryOperator<Object> single) {
        if (value instanceof Map<?, ?> map) {
            return copied(map, empty, single);
        }
        if (value instanceof List<?> items) {
            List<Object> list = new ArrayList<>();
            items.forEach(item -> list.add(copied(item, empty, single)));
            return list;
        }
        return single.apply(value);
    }
}
