package dev.parley.sdk;

/** Receives the progress of an upload: never less than before, and the whole length at the end of a successful one. */
@FunctionalInterface
public interface UploadListener {
    /**
     * Called on the sending thread, so it should be quick.
     *
     * @param sent bytes of the file that were handed to the connection
     * @param total bytes of the whole file
     */
    void sent(long sent, long total);
}
