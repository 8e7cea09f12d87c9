/**
 * Commands with a signature, for services that share a database with others whom they do not trust in everything. Start
 * at {@link dev.almanac.examples.signing.SignedCommandCodec}.
 */
@NullMarked
package dev.almanac.examples.signing;

import org.jspecify.annotations.NullMarked;
