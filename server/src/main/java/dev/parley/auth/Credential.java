package dev.parley.auth;

import dev.parley.basics.Sha256;
import dev.parley.protocol.Alphabet;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * A secret that the server hands out once and recognises by its hash: {@code prefix + 64 hex digits}. Agent tokens,
 * integration keys and stream tickets have this form.
 */
record Credential(String raw) {
    private static final SecureRandom RANDOM = new SecureRandom();

    static Credential fresh(String prefix) {
        byte[] body = new byte[32];
        RANDOM.nextBytes(body);
        return new Credential(prefix + HexFormat.of().formatHex(body));
    }

    static boolean looksLike(String prefix, String raw) {
        return raw.startsWith(prefix) && Alphabet.LOWER_HEX.spells(raw.substring(prefix.length()), 64, 64);
    }

    /** The stored form. A plain hash is enough, because a secret of 256 random bits cannot be guessed. */
    byte[] hash() {
        return Sha256.of(raw.getBytes(StandardCharsets.US_ASCII));
    }

    /** The first characters, which tell credentials apart in lists. */
    String shown(String prefix) {
        return raw.substring(0, prefix.length() + 4);
    }

    /** Hides the secret. */
    @Override
    public String toString() {
        return "Credential[hidden]";
    }
}
