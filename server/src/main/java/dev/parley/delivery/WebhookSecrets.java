package dev.parley.delivery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that webhooks are signed with. They follow from the server's signing secret and the webhook's id, so none is
 * kept in a row; while that secret is being replaced, everything is signed by the old and the new one.
 */
public final class WebhookSecrets {
    private static final String PREFIX = "whsec_";

    private final List<byte[]> signing;

    /** @param signing the server's signing secret, and the former one if there is one */
    public WebhookSecrets(List<byte[]> signing) {
        this.signing = List.copyOf(signing);
    }

    /** As its receiver is shown it, once. */
    String shown(UUID webhook) {
        return PREFIX + Base64.getEncoder().encodeToString(derived(signing.getFirst(), "webhook/" + webhook));
    }

    /**
     * The signatures of what is sent, as Standard Webhooks wants them in the header.
     *
     * @param purpose whose secret: {@code webhook/} and an id, or another name
     */
    public String sign(String purpose, String id, long timestamp, byte[] body) {
        StringBuilder signatures = new StringBuilder();
        for (byte[] each : signing) {
            byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
            String signature = Base64.getEncoder().encodeToString(hmac(derived(each, purpose), head, body));
            signatures.append(signatures.isEmpty() ? "" : " ").append("v1,").append(signature);
        }
        return signatures.toString();
    }

    private static byte[] derived(byte[] secret, String purpose) {
        return hmac(secret, purpose.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hmac(byte[] key, byte[]... pieces) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] piece : pieces) {
                mac.update(piece);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("Every JDK has HmacSHA256", missing);
        }
    }
}
