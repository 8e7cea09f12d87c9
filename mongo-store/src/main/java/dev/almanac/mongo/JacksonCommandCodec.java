package dev.almanac.mongo;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.SchedulingCommand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/**
 * Bodies by Jackson: the fields of a record or bean, moments and durations as ISO-8601 text, decimals exact up to 34
 * digits and as text beyond, the negative zero as itself. Fields that the type does not have are passed over, so that a node of an older release
 * reads what a newer one of the same version has added. No type information is written or read, and class names in
 * annotations are refused, so a body can only become the registered type. Bodies nested deeper than 60 levels are
 * refused, and so is a command that would not come back equal. Thread-safe.
 */
public final class JacksonCommandCodec implements CommandCodec {
    /** The server takes 100 levels, of which the document around a body needs some. */
    private static final int DEEPEST = 60;

    private final JsonMapper mapper = mapper();

    /** A codec with the default settings. */
    public JacksonCommandCodec() {}

    private static JsonMapper mapper() {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(DEEPEST)
                        .build())
                .build();
        return JsonMapper.builder(factory)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                // offset and zone are part of the value: another one may be another day
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                // Set.of has another order in each JVM, and equal commands have equal bodies
                .enable(SerializationFeature.ORDER_SET_ELEMENTS)
                .enable(SerializationFeature.FAIL_ON_ORDER_SET_BY_INCOMPARABLE_ELEMENT)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .polymorphicTypeValidator(new NoClassNames())
                .build();
    }

    @Override
    public Map<String, Object> encode(SchedulingCommand command) {
        Map<String, Object> body = body(command);
        SchedulingCommand back;
        try {
            back = decode(body, command.getClass());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cannot be encoded: its body could be stored and not be read again: " + e.getMessage(), e);
        }
        if (!RoundTrip.isSame(command, back) || !body.equals(body(back))) {
            throw new IllegalArgumentException(
                    "cannot be encoded: it would not come back equal; give it fields that keep"
                            + " their value in JSON, such as text, numbers, Instant, OffsetDateTime, lists and records of them");
        }
        return body;
    }

    private Map<String, Object> body(SchedulingCommand command) {
        try {
            // by way of text, so that the stored values equal those that a reader gets
            try (JsonParser parser = mapper.createParser(mapper.writeValueAsBytes(command))) {
                parser.nextToken();
                if (read(parser) instanceof Map<?, ?> map) {
                    return normalised(map);
                }
            }
            throw new IllegalArgumentException("cannot be encoded: a command is an object with fields");
        } catch (JacksonException e) {
            throw new IllegalArgumentException("cannot be encoded: " + e.getOriginalMessage(), e);
        }
    }

    /** Numbers with a point as they are written: decimals, and the negative zero, which no decimal is. */
    private static @Nullable Object read(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    map.put(name, read(parser));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(read(parser));
                }
                yield items;
            }
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_NUMBER_FLOAT -> {
                BigDecimal exact = parser.getDecimalValue();
                yield exact.signum() == 0 && parser.getString().startsWith("-") ? (Object) (-0.0) : exact;
            }
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
    }

    @Override
    public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
        try {
            return mapper.convertValue(body, type);
        } catch (JacksonException e) {
            passOn(e);
            throw new IllegalArgumentException("the body does not fit " + type.getName() + ": " + reason(e), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the body does not fit " + type.getName() + ": " + e.getMessage(), e);
        }
    }

    /** The library's text, or what to do about a part of which the body does not say what it is. */
    private static String reason(JacksonException e) {
        if (!(e instanceof InvalidDefinitionException definition)
                || definition.getType() == null
                || !definition.getType().isAbstract()) {
            return e.getOriginalMessage();
        }
        return definition.getType().getRawClass().getName()
                + " is an interface or an abstract class, and a body holds no"
                + " class names: give it @JsonTypeInfo(use = Id.NAME) and @JsonSubTypes with a short name for each of its"
                + " classes, or make each of them a command type; docs/cookbook.md shows how";
    }

    /** An Error, or a wrong state, in a constructor of the service is no word about the body: another node may read it. */
    private static void passOn(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof Error error) {
                throw error;
            } else if (cause instanceof IllegalStateException state) {
                throw state;
            }
        }
    }

    /** As they come back from the server. Fields without a value are left out. */
    private static Map<String, Object> normalised(Map<?, ?> map) {
        Map<String, Object> plain = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("cannot be encoded: a field name holds a NUL character");
            }
            if (value != null) {
                plain.put(name, value(value));
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
            // an item without a value keeps its place
            items.forEach(item -> list.add(item == null ? null : value(item)));
            return list;
        }
        if (value instanceof BigInteger big) {
            return decimal(new BigDecimal(big));
        }
        return value instanceof BigDecimal exact ? decimal(exact) : value;
    }

    private static Object decimal(BigDecimal exact) {
        try {
            return new Decimal128(exact).bigDecimalValue().equals(exact) ? exact : exact.toString();
        } catch (ArithmeticException | NumberFormatException tooLong) {
            return exact.toString();
        }
    }

    /** Annotations that name classes in data would let a document choose what is instantiated. */
    private static final class NoClassNames extends PolymorphicTypeValidator.Base {
        @Override
        public Validity validateBaseType(DatabindContext context, JavaType baseType) {
            return Validity.DENIED;
        }
    }
}
