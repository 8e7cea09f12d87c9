package dev.almanac.mongo;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A registry that finds a codec by its class alone. The driver's own registry makes a lookup key for each value of each
 * document, which was a tenth of the allocations for a job. Thread-safe.
 */
final class KnownCodecs implements CodecRegistry {
    private final CodecRegistry registry;
    private final Map<Class<?>, Codec<?>> known = new ConcurrentHashMap<>();

    /** @param registry makes the codecs */
    KnownCodecs(CodecRegistry registry) {
        this.registry = registry;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> Codec<T> get(Class<T> type) {
        Codec<T> codec = (Codec<T>) known.get(type);
        return codec == null ? made(type) : codec;
    }

    /** Codecs of containers look for those of what they contain here, their own included, while they are made. */
    @SuppressWarnings("unchecked")
    private <T> Codec<T> made(Class<T> type) {
        if (type == FlatDocument.class) {
            return (Codec<T>) get(Document.class);
        }
        known.putIfAbsent(type, new Later<>(type));
        Codec<T> codec = registry.get(type, this);
        codec = codec == null ? registry.get(type) : codec;
        known.put(type, codec);
        return codec;
    }

    /** A placeholder for a codec that is being made. */
    private final class Later<T> implements Codec<T> {
        private final Class<T> type;

        Later(Class<T> type) {
            this.type = type;
        }

        @SuppressWarnings("unchecked")
        private Codec<T> codec() {
            Codec<T> codec = (Codec<T>) known.get(type);
            return codec == this ? registry.get(type) : codec;
        }

        @Override
        public T decode(BsonReader reader, DecoderContext context) {
            return codec().decode(reader, context);
        }

        @Override
        public void encode(BsonWriter writer, T value, EncoderContext context) {
            codec().encode(writer, value, context);
        }

        @Override
        public Class<T> getEncoderClass() {
            return type;
        }
    }

    @Override
    public <T> Codec<T> get(Class<T> type, List<Type> arguments) {
        return registry.get(type, arguments);
    }

    @Override
    public <T> @Nullable Codec<T> get(Class<T> type, CodecRegistry asking) {
        return registry.get(type, asking);
    }
}
