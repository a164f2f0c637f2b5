package dev.parley.ingest;

import org.jspecify.annotations.Nullable;

/**
 * A file of a message, on its platform.
 *
 * @param sizeBytes the size that the platform states; 0 if it is unknown
 */
public record RemoteFile(
        String url, @Nullable String name, @Nullable String mimeType, long sizeBytes, Fetch fetch) {
    /** Downloads the bytes by the platform's own rules: from its hosts only, limited in size and time. */
    public interface Fetch {
        /** @throws Failed with a sentence for people, without secrets */
        byte[] fetch() throws Failed, InterruptedException;
    }

    /** The file could not be downloaded. */
    public static final class Failed extends Exception {
        public Failed(String reason) {
            super(reason);
        }
    }
}
