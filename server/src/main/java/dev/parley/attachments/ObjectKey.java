package dev.parley.attachments;

import dev.parley.basics.Text;
import dev.parley.protocol.Split;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The name of an object. A path is a name and nothing else: it is compared byte by byte, never normalised, never resolved,
 * and no file is ever called by it. What another program could take for a way up or out is no path.
 */
public record ObjectKey(String bucket, String path) {
    /** The one bucket. */
    public static final String BUCKET = "agent-files";

    public static final int MAX_PATH = 1_024;

    public ObjectKey {
        if (!isPath(path)) {
            throw new IllegalArgumentException("not a path of an object");
        }
    }

    /** A name as a client gave it; there is no object under what is none. */
    public static Optional<ObjectKey> of(String bucket, String path) {
        return bucket.equals(BUCKET) && isPath(path) ? Optional.of(new ObjectKey(bucket, path)) : Optional.empty();
    }

    /** Reads what {@link #toString} wrote. */
    public static Optional<ObjectKey> parse(String bucketAndPath) {
        int slash = bucketAndPath.indexOf('/');
        return slash < 0 ? Optional.empty() : of(bucketAndPath.substring(0, slash), bucketAndPath.substring(slash + 1));
    }

    public static boolean isPath(String path) {
        if (path.isEmpty()
                || !fits(path)
                || !Text.isStorable(path)
                || path.indexOf('\\') >= 0
                || path.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        for (String segment : Split.at('/', path)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                return false;
            }
        }
        return true;
    }

    /** Whether a text is short enough for a path; a longer one is not even encoded. */
    public static boolean fits(String text) {
        return text.length() <= MAX_PATH && text.getBytes(StandardCharsets.UTF_8).length <= MAX_PATH;
    }

    /** The last part of the path. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Bucket and path in one, as stored inputs and the storage face write it. */
    @Override
    public String toString() {
        return bucket + "/" + path;
    }
}
