package dev.parley.platforms.slack;

import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies the signature of Slack's requests over their time and raw bytes, and refuses old and future requests (<a
 * href="https://docs.slack.dev/authentication/verifying-requests-from-slack">Slack: verifying requests</a>).
 */
final class SlackSignature {
    private static final String SIGNATURE = "X-Slack-Signature";
    private static final String TIMESTAMP = "X-Slack-Request-Timestamp";
    private static final Duration LEEWAY = Duration.ofMinutes(5);
    /** Length of {@code v0=} and a digest in hex; another length is refused before the body is read. */
    private static final int LENGTH = 3 + 64;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final Clock clock;

    SlackSignature(byte[] secret, Clock clock) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
        this.clock = clock;
    }

    /** Throws unless Slack sent the request within the last minutes. The error does not name the failed check. */
    void require(InboundRequest request) {
        String timestamp = request.header(TIMESTAMP).orElse("");
        String signature = request.header(SIGNATURE).orElse("");
        if (!isRecent(timestamp)
                || signature.length() != LENGTH
                || !matches(timestamp, request.readBody(), signature)) {
            throw new ProblemException(Problem.UNAUTHENTICATED, "The request is not signed by Slack, or too old.");
        }
    }

    private boolean isRecent(String timestamp) {
        if (!Alphabet.DIGITS.spells(timestamp, 1, 12)) {
            return false;
        }
        long apart = Math.abs(clock.instant().getEpochSecond() - Long.parseLong(timestamp));
        return apart <= LEEWAY.toSeconds();
    }

    private boolean matches(String timestamp, byte[] body, String signature) {
        return MessageDigest.isEqual(
                sign(timestamp, body).getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }

    private String sign(String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(("v0:" + timestamp + ":").getBytes(StandardCharsets.UTF_8));
            return "v0=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
