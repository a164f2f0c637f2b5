package dev.parley.platforms.relay;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The key that a relay checks our signature by: derived from the server's secret, another one for each source. */
public final class RelayKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String PURPOSE = "parley-relay:";

    private RelayKey() {}

    public static byte[] derive(byte[] signingSecret, String source) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(signingSecret, ALGORITHM));
            return mac.doFinal((PURPOSE + source).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("This Java does not know " + ALGORITHM, missing);
        }
    }
}
