package dev.parley.platforms.relay;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs what a relay is told, in the form of Standard Webhooks, so that it can tell us from others. */
final class RelaySignature {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    RelaySignature(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** The value of the header {@code webhook-signature}. */
    String sign(String id, long timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("This Java does not know " + ALGORITHM, missing);
        }
    }
}
