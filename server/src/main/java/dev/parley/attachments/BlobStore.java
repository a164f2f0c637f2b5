package dev.parley.attachments;

import java.io.InputStream;

/**
 * Where bytes are kept. They are put whole and never changed; the same bytes twice are one blob. A store that cannot be
 * used right now throws {@link StorageUnavailable} from any of its methods.
 */
public interface BlobStore extends AutoCloseable {
    /**
     * Keeps staged bytes; they are durable when this returns, and no reader ever sees a part of them. A blob that is
     * there already is left as it is. Whoever removes blobs must not do so beside a put of the same ones.
     */
    void put(BlobId id, StagedBlob staged);

    /**
     * Opens exactly the range asked for, to be read as it arrives. A stream that breaks off early throws while it is
     * read; it never ends as if it were whole.
     *
     * @throws MissingBlob if the store does not have all of these bytes
     */
    InputStream open(BlobId id, long from, long length);

    boolean has(BlobId id);

    /** Forgets a blob; one that is not there is fine. */
    void remove(BlobId id);

    /** Returns if the store can be written to right now. */
    void check();

    @Override
    void close();
}
