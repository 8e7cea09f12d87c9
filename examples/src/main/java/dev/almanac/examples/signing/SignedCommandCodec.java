package dev.almanac.examples.signing;

import dev.almanac.helper.CommandCodec;
import dev.almanac.helper.Execution;
import dev.almanac.model.SchedulingCommand;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import tools.jackson.databind.json.JsonMapper;

/**
 * Signs bodies by HMAC-SHA256 over type, version, key of the job, and every field: an attacker who can write to the
 * database but does not have the secret can neither change nor create a command, nor move one to another type or job.
 * Deleting a command, running it again and restoring an older body of the same job are still possible; a helper that
 * must not repeat its work keeps a record of its own.
 *
 * <p>Upcasters change bodies before they are checked: give another layout another name. Thread-safe.
 */
public final class SignedCommandCodec implements CommandCodec {
    private static final String SIGNATURE = "signature";

    private final CommandCodec bodies;
    private final SecretKey secret;
    private final Map<Class<?>, String> types;
    private final JsonMapper mapper = JsonMapper.builder().build();

    /**
     * @param bodies makes the bodies, such as {@code JacksonCommandCodec}
     * @param secret of at least 256 bits; the same on all nodes that make or run these commands
     * @param types name and version under which each class is registered, such as {@code transfer 1}
     */
    public SignedCommandCodec(CommandCodec bodies, SecretKey secret, Map<Class<?>, String> types) {
        this.bodies = bodies;
        this.secret = secret;
        this.types = Map.copyOf(types);
    }

    @Override
    public Map<String, Object> encode(SchedulingCommand command) {
        Map<String, Object> body = new LinkedHashMap<>(bodies.encode(command));
        body.put(SIGNATURE, Base64.getEncoder().encodeToString(signature(body, command.getClass())));
        return body;
    }

    @Override
    public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
        Map<String, Object> unsigned = new LinkedHashMap<>(body);
        if (!(unsigned.remove(SIGNATURE) instanceof String given)
                || !MessageDigest.isEqual(signature(unsigned, type), bytes(given))) {
            throw new IllegalArgumentException("the body is not signed, or was changed since; it is not run");
        }
        return bodies.decode(unsigned, type);
    }

    /** For the beginning of a helper: the signature says for which job the command was made. */
    public static void requireOwn(SignedCommand command, Execution execution) {
        if (!command.jobKey().equals(execution.jobSpecificationKey())) {
            throw new IllegalStateException("the command was made for another job; it is not run");
        }
    }

    private byte[] signature(Map<String, Object> body, Class<?> type) {
        String name = types.get(type);
        if (name == null) {
            throw new IllegalArgumentException("no signed type is known for " + type.getName());
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            // the order of fields is no part of a body; numbers are as the store keeps them
            return mac.doFinal(mapper.writeValueAsBytes(sorted(body)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no HMAC-SHA256", e);
        }
    }

    private static Object sorted(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> sorted = new TreeMap<>();
            map.forEach((name, inner) -> sorted.put(String.valueOf(name), sorted(inner)));
            return sorted;
        }
        return value instanceof List<?> list
                ? list.stream().map(item -> item == null ? item : sorted(item)).toList()
                : value;
    }

    private static byte[] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException noBase64) {
            return new byte[0];
        }
    }
}
