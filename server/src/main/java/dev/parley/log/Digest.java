package dev.parley.log;

import dev.parley.basics.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** An immutable sequence of hash or salt bytes, compared by content. */
public final class Digest {
    /** The hash of a thread's head before its first entry. */
    public static final Digest ZERO = new Digest(new byte[32]);

    private final byte[] bytes;

    private Digest(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Digest of(byte[] bytes) {
        return new Digest(bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** The next link of a chain: the hash over this link and the following digest. */
    Digest chain(Digest next) {
        return new Builder().add(this).add(next).finish();
    }

    /** A second hash that can be computed only with this hash. */
    public Digest derive(String purpose) {
        return new Builder().add(this).add(purpose).finish();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Digest digest && Arrays.equals(bytes, digest.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Hashes a sequence of fields with SHA-256. Every field is framed by its length, so no two sequences collide by
     * concatenation.
     */
    public static final class Builder {
        private final MessageDigest sha256;

        public Builder() {
            sha256 = Sha256.begin();
        }

        public Builder add(@Nullable String field) {
            if (field == null) {
                return add(-1L);
            }
            byte[] encoded = field.getBytes(StandardCharsets.UTF_8);
            add(encoded.length);
            sha256.update(encoded);
            return this;
        }

        public Builder add(long field) {
            sha256.update(ByteBuffer.allocate(Long.BYTES).putLong(0, field));
            return this;
        }

        Builder add(Digest field) {
            add(field.bytes.length);
            sha256.update(field.bytes);
            return this;
        }

        public Digest finish() {
            return new Digest(sha256.digest());
        }
    }
}
