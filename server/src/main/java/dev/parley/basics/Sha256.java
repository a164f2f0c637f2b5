package dev.parley.basics;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, the only hash of the server. */
public final class Sha256 {
    private Sha256() {}

    public static byte[] of(byte[] bytes) {
        return begin().digest(bytes);
    }

    /** Starts a hash over several pieces. */
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
