/**
 * Commands with a signature, for services that share a database with others that they do not trust. Start at
 * {@link dev.almanac.examples.signing.SignedCommandCodec}.
 */
@NullMarked
package dev.almanac.examples.signing;

import org.jspecify.annotations.NullMarked;
