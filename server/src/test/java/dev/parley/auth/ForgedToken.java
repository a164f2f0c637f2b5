package dev.parley.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens put together by hand, with errors that a library would not produce. */
record ForgedToken(String header, String payload) {
    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

    private String signed() {
        return URL.encodeToString(header.getBytes(UTF_8)) + "." + URL.encodeToString(payload.getBytes(UTF_8));
    }

    String unsigned() {
        return signed() + ".";
    }

    String with(byte[] signature) {
        return signed() + "." + URL.encodeToString(signature);
    }

    /** @param algorithm such as {@code HmacSHA256} */
    String mac(String algorithm, String secret) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), algorithm));
            return with(mac.doFinal(signed().getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param algorithm such as {@code SHA256withRSA} */
    String signature(String algorithm, PrivateKey key) {
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(signed().getBytes(UTF_8));
            return with(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
