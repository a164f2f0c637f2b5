package dev.parley.attachments;

/** The store answered, but does not have these bytes. */
public final class MissingBlob extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MissingBlob(BlobId id) {
        super("The bytes " + id.hex() + " are not in the store.");
    }
}
