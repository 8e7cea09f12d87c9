package dev.almanac.mongo;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.SchedulingCommand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bodies by Jackson: the fields of a record or bean, moments and durations as ISO-8601 text, decimals exact. No type
 * information is written or read, so a body can only become the registered type. Thread-safe.
 */
public final class JacksonCommandCodec implements CommandCodec {
    private static final TypeReference<LinkedHashMap<String, Object>> MAP = new TypeReference<>() {};

    private final JsonMapper mapper;

    /** With Jackson's defaults, which refuse bodies nested deeper than 500 levels. */
    public JacksonCommandCodec() {
        this(JsonMapper.builder()
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build());
    }

    private JacksonCommandCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Map<String, Object> encode(SchedulingCommand command) {
        try {
            // by way of text, so that what is stored is what a reader will get
            return normalised(mapper.readValue(mapper.writeValueAsBytes(command), MAP));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("cannot be encoded: " + e.getOriginalMessage(), e);
        }
    }

    @Override
    public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
        try {
            return mapper.convertValue(body, type);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IllegalArgumentException("the body does not fit " + type.getName() + ": " + e.getMessage(), e);
        }
    }

    /** As they come back from the server: numbers beyond 64 bits as decimals. */
    private static Map<String, Object> normalised(Map<?, ?> map) {
        Map<String, Object> plain = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (value != null) {
                plain.put(String.valueOf(key), value(value));
            }
        });
        return plain;
    }

    private static Object value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return normalised(map);
        }
        if (value instanceof List<?> items) {
            List<Object> list = new ArrayList<>();
            items.forEach(item -> list.add(item == null ? "" : value(item)));
            return list;
        }
        return value instanceof BigInteger big ? new BigDecimal(big) : value;
    }
}
