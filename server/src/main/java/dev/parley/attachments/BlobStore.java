package dev.parley.attachments;

import java.io.InputStream;

/**
 * Stores blobs. A blob is put as a whole and never changed; the same bytes put twice are one blob. Every method of a
 * store that cannot be used right now throws {@link StorageUnavailable}.
 */
public interface BlobStore extends AutoCloseable {
    /**
     * Stores staged bytes. They are durable when this returns, and no reader ever sees a part of them. A blob that
     * exists stays as it is. A caller must not remove a blob during a put of the same one.
     */
    void put(BlobId id, StagedBlob staged);

    /**
     * Opens exactly the requested range, to be read as it arrives. A stream that breaks off throws while it is read; it
     * never ends as if it were whole.
     *
     * @throws MissingBlob if the store does not have the whole range
     */
    InputStream open(BlobId id, long from, long length);

    boolean has(BlobId id);

    /** Removes a blob; a missing one is no error. */
    void remove(BlobId id);

    /** Returns if the store can be written to right now. */
    void check();

    @Override
    void close();
}
