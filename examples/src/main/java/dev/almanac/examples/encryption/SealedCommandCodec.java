package dev.almanac.examples.encryption;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.SchedulingCommand;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Seals bodies with AES-GCM: {@code {keyId, nonce, sealed}}, the last two in Base64. A reader of the database sees
 * whether two bodies are equal and how long they are, but nothing else; a changed body is detected when it is opened.
 *
 * <p>Equal commands must have equal bodies, or scheduling the same job again would be a change of it. So the nonce is no
 * random number: it is the first 96 bits of an HMAC-SHA256 of the plain text, with a key that is derived from the AES
 * key. Different plain texts get different nonces but for one chance in 2<sup>48</sup> after some 16 million of them.
 *
 * <p>Upcasters get bodies as they are stored, so they cannot convert a sealed one: give another layout another name.
 *
 * <p>Thread-safe.
 */
public final class SealedCommandCodec implements CommandCodec {
    private static final String KEY_ID = "keyId";
    private static final String NONCE = "nonce";
    private static final String SEALED = "sealed";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final byte[] NONCE_LABEL = "almanac nonce".getBytes(StandardCharsets.US_ASCII);

    private final KeyRing ring;
    private final JsonMapper mapper = JsonMapper.builder().build();

    /** Seals with the ring's current key, and opens with each of its keys. */
    public SealedCommandCodec(KeyRing ring) {
        this.ring = ring;
    }

    @Override
    public Map<String, Object> encode(SchedulingCommand command) {
        try {
            byte[] plain = mapper.writeValueAsBytes(command);
            SecretKey key = ring.key(ring.current());
            byte[] nonce = nonce(key, plain);
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, ring.current(), nonce).doFinal(plain);
            Base64.Encoder text = Base64.getEncoder();
            return Map.of(
                    KEY_ID, ring.current(), NONCE, text.encodeToString(nonce), SEALED, text.encodeToString(sealed));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("cannot be encoded: " + e.getOriginalMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("cannot be sealed with key '" + ring.current() + "'", e);
        }
    }

    @Override
    public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
        String keyId = text(body, KEY_ID);
        try {
            byte[] nonce = Base64.getDecoder().decode(text(body, NONCE));
            byte[] sealed = Base64.getDecoder().decode(text(body, SEALED));
            return mapper.readValue(cipher(Cipher.DECRYPT_MODE, keyId, nonce).doFinal(sealed), type);
        } catch (JacksonException e) {
            // no cause and no message of the reader: both may quote the plain text
            throw new IllegalArgumentException("the opened body does not fit " + type.getName());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the body cannot be opened with key '" + keyId + "': it was changed, or the key is another one", e);
        }
    }

    private static String text(Map<String, Object> body, String field) {
        if (body.get(field) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("the body is not sealed: it has no text '" + field + "'");
    }

    private Cipher cipher(int mode, String keyId, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, ring.key(keyId), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(keyId.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static byte[] nonce(SecretKey key, byte[] plain) throws GeneralSecurityException {
        byte[] own = hmac(key.getEncoded(), NONCE_LABEL);
        return Arrays.copyOf(hmac(own, plain), NONCE_BYTES);
    }

    private static byte[] hmac(byte[] key, byte[] data) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(data);
    }
}
