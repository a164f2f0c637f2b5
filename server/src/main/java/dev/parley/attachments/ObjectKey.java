package dev.parley.attachments;

import dev.parley.basics.Text;
import dev.parley.protocol.Split;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The name of an object. A path is only a name: it is compared byte by byte, never normalised or resolved, and no file
 * is named after it. A text that another program could resolve to a parent folder or an absolute path is refused.
 */
public record ObjectKey(String bucket, String path) {
    /** The only bucket. */
    public static final String BUCKET = "agent-files";

    public static final int MAX_PATH = 1_024;

    public ObjectKey {
        if (!isPath(path)) {
            throw new IllegalArgumentException("not a path of an object");
        }
    }

    /** The key for a client's bucket and path. Empty if they are no valid name; then no such object exists. */
    public static Optional<ObjectKey> of(String bucket, String path) {
        return bucket.equals(BUCKET) && isPath(path) ? Optional.of(new ObjectKey(bucket, path)) : Optional.empty();
    }

    /** Reads the form that {@link #toString} writes. */
    static Optional<ObjectKey> parse(String bucketAndPath) {
        int slash = bucketAndPath.indexOf('/');
        return slash < 0 ? Optional.empty() : of(bucketAndPath.substring(0, slash), bucketAndPath.substring(slash + 1));
    }

    static boolean isPath(String path) {
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

    /** True if a text is short enough for a path. A text with too many characters is not even encoded. */
    public static boolean fits(String text) {
        return text.length() <= MAX_PATH && text.getBytes(StandardCharsets.UTF_8).length <= MAX_PATH;
    }

    /** The last segment of the path. */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Bucket and path joined, as stored inputs and the storage face write them. */
    @Override
    public String toString() {
        return bucket + "/" + path;
    }
}
