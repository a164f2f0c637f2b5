package dev.parley.sdk;

/** Hears how far an upload is: never less than before, and the whole length at the end of one that succeeds. */
@FunctionalInterface
public interface UploadListener {
    /**
     * Told by the thread that sends, so it should be quick.
     *
     * @param sent bytes of the file that were handed to the connection
     * @param total bytes of the whole file
     */
    void sent(long sent, long total);
}
