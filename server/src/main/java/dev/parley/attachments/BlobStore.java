package dev.parley.attachments;

import java.io.InputStream;

/**
 * Stores blobs. A blob is stored as a whole and never changes. The same bytes stored twice are one blob. Every method
 * throws {@link StorageUnavailable} if the store cannot be used right now.
 */
public interface BlobStore extends AutoCloseable {
    /**
     * Stores staged bytes. The bytes are durable when this method returns, and no reader ever sees a part of them. An
     * existing blob stays unchanged. A caller must not remove a blob while the same blob is being stored.
     */
    void put(BlobId id, StagedBlob staged);

    /**
     * Opens exactly the requested range, to be read as it arrives. An incomplete stream throws while it is read; it
     * never ends as if it were whole.
     *
     * @throws MissingBlob if the store does not have the whole range
     */
    InputStream open(BlobId id, long from, long length);

    boolean has(BlobId id);

    /** Removes a blob; a missing blob is no error. */
    void remove(BlobId id);

    /** Throws unless the store can be written to right now. */
    void check();

    @Override
    void close();
}
