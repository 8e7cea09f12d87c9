package dev.almanac.web.page;

import dev.almanac.web.guard.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hides text in addresses and forms, such as the key at which a page ends, which may be that of a job that the viewer may
 * not see. What one process has sealed no other can open or make. Thread-safe.
 */
final class SealedKeys {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final SecretKey secret = new SecretKeySpec(bytes(KEY_BYTES), "AES");

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    String seal(String key) {
        byte[] nonce = bytes(NONCE_BYTES);
        byte[] hidden = run(Cipher.ENCRYPT_MODE, nonce, key.getBytes(StandardCharsets.UTF_8));
        byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + hidden.length);
        System.arraycopy(hidden, 0, sealed, NONCE_BYTES, hidden.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    }

    /** @throws Refusal if it was not sealed here */
    String open(String sealed) {
        return tryOpen(sealed)
                .orElseThrow(() ->
                        Refusal.badRequest("This address of a next page is not valid here; list the jobs again."));
    }

    /** What was sealed; empty if that was not done here. */
    Optional<String> tryOpen(String sealed) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(sealed);
            if (bytes.length <= NONCE_BYTES + TAG_BITS / Byte.SIZE) {
                return Optional.empty();
            }
            byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            byte[] hidden = Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length);
            return Optional.of(new String(run(Cipher.DECRYPT_MODE, nonce, hidden), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }

    private byte[] run(int mode, byte[] nonce, byte[] text) {
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, secret, new GCMParameterSpec(TAG_BITS, nonce));
            return cipher.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("cannot be opened", e);
        }
    }
}
