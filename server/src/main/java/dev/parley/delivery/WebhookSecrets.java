package dev.parley.delivery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that sign webhooks (<a
 * href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">Standard
 * Webhooks</a>). They are derived from the server's signing secret and the webhook's id, and never stored. While the
 * signing secret is being replaced, requests are signed with the old and the new secret.
 */
public final class WebhookSecrets {
    private static final String PREFIX = "whsec_";

    private final List<byte[]> signing;

    /** @param signing the server's signing secret, and the former secret during a replacement */
    public WebhookSecrets(List<byte[]> signing) {
        this.signing = List.copyOf(signing);
    }

    /** The secret of a webhook, in the form that its owner is shown once. */
    String secretOf(UUID webhook) {
        return PREFIX + Base64.getEncoder().encodeToString(derived(signing.getFirst(), "webhook/" + webhook));
    }

    /**
     * The signatures of a request, in the header's format of Standard Webhooks.
     *
     * @param purpose names the secret: {@code webhook/} and an id, or another name
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
