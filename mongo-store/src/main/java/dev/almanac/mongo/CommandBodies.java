package dev.almanac.mongo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.types.Decimal128;

/** The bodies of commands: plain values on this side, documents on the server's. Equal bodies stay equal. */
final class CommandBodies {
    private CommandBodies() {}

    static Map<String, Object> plain(Map<?, ?> document) {
        Map<String, Object> plain = new LinkedHashMap<>();
        document.forEach((key, value) -> plain.put(String.valueOf(key), plainValue(value)));
        return plain;
    }

    private static Object plainValue(Object value) {
        if (value instanceof Map<?, ?> map) {
            return plain(map);
        }
        if (value instanceof List<?> items) {
            List<Object> list = new ArrayList<>();
            items.forEach(item -> list.add(plainValue(item)));
            return list;
        }
        return value instanceof Decimal128 exact ? exact.bigDecimalValue() : value;
    }

    static Document document(Map<?, ?> plain) {
        Document document = new Document();
        plain.forEach((key, value) -> document.append(String.valueOf(key), stored(value)));
        return document;
    }

    private static Object stored(Object value) {
        if (value instanceof Map<?, ?> map) {
            return document(map);
        }
        if (value instanceof List<?> items) {
            List<Object> list = new ArrayList<>();
            items.forEach(item -> list.add(stored(item)));
            return list;
        }
        return value instanceof BigDecimal exact ? new Decimal128(exact) : value;
    }
}
