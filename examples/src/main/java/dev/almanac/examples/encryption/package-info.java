/**
 * Commands whose bodies are encrypted in the database. Start with
 * {@link dev.almanac.examples.encryption.EncryptedPayments}; the codec is
 * {@link dev.almanac.examples.encryption.SealedCommandCodec}.
 */
@NullMarked
package dev.almanac.examples.encryption;

import org.jspecify.annotations.NullMarked;
