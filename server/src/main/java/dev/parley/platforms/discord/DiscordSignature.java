package dev.parley.platforms.discord;

import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Verifies the Ed25519 signature (RFC 8032) of Discord's own requests over their time and raw body (<a
 * href="https://docs.discord.com/developers/interactions/overview">Discord: interactions</a>). Requests older than five
 * minutes or from the future are refused, so that a recorded request cannot be replayed later.
 */
final class DiscordSignature {
    private static final String ALGORITHM = "Ed25519";
    /** The bytes before the 32 bytes of an encoded key (RFC 8410). */
    private static final byte[] KEY_HEADER = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final Duration LEEWAY = Duration.ofMinutes(5);

    private final PublicKey key;
    private final Clock clock;

    /** @throws IllegalArgumentException the key is invalid */
    DiscordSignature(String publicKey, Clock clock) {
        this.key = key(publicKey);
        this.clock = clock;
    }

    private static PublicKey key(String hex) {
        byte[] raw = HexFormat.of().parseHex(hex);
        byte[] encoded = new byte[KEY_HEADER.length + raw.length];
        System.arraycopy(KEY_HEADER, 0, encoded, 0, KEY_HEADER.length);
        System.arraycopy(raw, 0, encoded, KEY_HEADER.length, raw.length);
        try {
            PublicKey key = KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded));
            // Not every number is a point of the curve, so an invalid key is refused at the start.
            Signature.getInstance(ALGORITHM).initVerify(key);
            return key;
        } catch (GeneralSecurityException notOne) {
            throw new IllegalArgumentException("is not a key of Ed25519", notOne);
        }
    }

    /** Throws unless Discord sent the request within the last minutes. */
    void require(InboundRequest request) {
        String time = request.header("X-Signature-Timestamp").orElse("");
        String signature = request.header("X-Signature-Ed25519").orElse("");
        if (!Alphabet.DIGITS.spells(time, 1, 12) || !Alphabet.HEX.spells(signature, 128, 128)) {
            throw refused();
        }
        Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(time)), clock.instant());
        if (age.abs().compareTo(LEEWAY) > 0 || !verifies(time, request.readBody(), signature)) {
            throw refused();
        }
    }

    private boolean verifies(String time, byte[] body, String signature) {
        try {
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(key);
            check.update(time.getBytes(StandardCharsets.US_ASCII));
            check.update(body);
            return check.verify(HexFormat.of().parseHex(signature));
        } catch (SignatureException | InvalidKeyException notOne) {
            return false;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("This Java does not know Ed25519", missing);
        }
    }

    /** The refusal is the same for every reason, so that a forger learns nothing. */
    private static ProblemException refused() {
        return new ProblemException(Problem.UNAUTHENTICATED, "The signature is missing, wrong or too old.");
    }
}
