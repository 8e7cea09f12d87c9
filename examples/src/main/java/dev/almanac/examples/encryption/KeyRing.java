package dev.almanac.examples.encryption;

import java.util.Map;
import javax.crypto.SecretKey;

/**
 * Keys by their ids. To change keys, give all nodes the new key first, then make it the current one, and keep the old one
 * until no stored job uses it. Immutable.
 *
 * @param current id of the key that new bodies are sealed with
 * @param keys AES keys of 128, 192 or 256 bits by id; an id is stored beside each body and is no secret
 */
public record KeyRing(String current, Map<String, SecretKey> keys) {
    /** @throws IllegalArgumentException if the current key is not among the keys, or one is no AES key */
    public KeyRing {
        keys = Map.copyOf(keys);
        if (!keys.containsKey(current)) {
            throw new IllegalArgumentException("the current key '" + current + "' is not among " + keys.keySet());
        }
        keys.forEach((id, key) -> {
            if (!key.getAlgorithm().equals("AES")) {
                throw new IllegalArgumentException("key '" + id + "' is for " + key.getAlgorithm() + ", not for AES");
            }
        });
    }

    /** @throws IllegalStateException if there is none of this id: another node may have it, and gets the job */
    SecretKey key(String id) {
        SecretKey key = keys.get(id);
        if (key == null) {
            throw new IllegalStateException(
                    "the body was sealed with key '" + id + "'; this node has " + keys.keySet());
        }
        return key;
    }

    @Override
    public String toString() {
        return "KeyRing[" + current + " of " + keys.keySet() + "]";
    }
}
