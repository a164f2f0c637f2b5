package dev.parley.ingest;

import org.jspecify.annotations.Nullable;

/**
 * A file that a platform keeps and that comes with a message.
 *
 * @param sizeBytes as the platform says; 0 if it does not
 */
public record RemoteFile(
        String url, @Nullable String name, @Nullable String mimeType, long sizeBytes, Fetch fetch) {
    /** Gets the bytes by the platform's own rules: from its hosts only, bounded in size and time. */
    public interface Fetch {
        /** @throws Failed with a sentence for people that gives nothing away */
        byte[] fetch() throws Failed, InterruptedException;
    }

    /** The file could not be had. */
    public static final class Failed extends Exception {
        public Failed(String why) {
            super(why);
        }
    }
}
