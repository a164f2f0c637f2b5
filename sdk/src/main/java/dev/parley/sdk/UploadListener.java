package dev.parley.sdk;

/** Receives the progress of an upload. The progress never falls, and a successful upload ends with the whole length. */
@FunctionalInterface
public interface UploadListener {
    /**
     * Called on the sending thread, so the method should be quick.
     *
     * @param sent bytes of the file that were handed to the connection
     * @param total bytes of the whole file
     */
    void sent(long sent, long total);
}
