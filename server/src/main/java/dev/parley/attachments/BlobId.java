package dev.parley.attachments;

import dev.parley.protocol.Alphabet;
import java.util.HexFormat;

/** The name of a blob: its SHA-256. It consists of hex digits only, so it is safe in a path or a key. */
public record BlobId(String hex) {
    static final int BYTES = 32;

    public BlobId {
        if (!Alphabet.LOWER_HEX.spells(hex, 64, 64)) {
            throw new IllegalArgumentException("A blob's name has 64 hex digits in lower case.");
        }
    }

    public static BlobId of(byte[] sha256) {
        if (sha256.length != BYTES) {
            throw new IllegalArgumentException("A SHA-256 has " + BYTES + " bytes, not " + sha256.length + ".");
        }
        return new BlobId(HexFormat.of().formatHex(sha256));
    }

    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }
}
