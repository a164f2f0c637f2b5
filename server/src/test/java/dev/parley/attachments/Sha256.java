package dev.parley.attachments;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The expected name of bytes, computed by the tests themselves. */
final class Sha256 {
    private Sha256() {}

    static byte[] of(byte[] bytes) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
