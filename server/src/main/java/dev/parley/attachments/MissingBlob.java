package dev.parley.attachments;

/** The store answered, but does not have the blob. */
public final class MissingBlob extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MissingBlob(BlobId id) {
        super("Blob " + id.hex() + " is not in the store.");
    }
}
