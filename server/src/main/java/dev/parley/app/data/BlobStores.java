package dev.parley.app.data;

import dev.parley.app.config.Config;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.FolderBlobs;
import dev.parley.attachments.S3Blobs;
import dev.parley.attachments.S3Settings;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the configured store of objects, without loading a class of the store that is not configured. */
public final class BlobStores {
    private BlobStores() {}

    public static Path folder(Config.Storage.Folder storage, Path data) {
        return Optional.ofNullable(storage.elsewhere()).orElseGet(() -> data.resolve("blobs"));
    }

    public static BlobStore open(Config.Storage storage, Path data) {
        return switch (storage) {
            case Config.Storage.Folder folder -> new FolderBlobs(folder(folder, data));
            case Config.Storage.S3 s3 -> open(s3);
        };
    }

    /** Opens the store for reading while a server may use it. */
    public static BlobStore openBeside(Config.Storage storage, Path data) {
        return switch (storage) {
            case Config.Storage.Folder folder -> FolderBlobs.beside(folder(folder, data));
            case Config.Storage.S3 s3 -> open(s3);
        };
    }

    private static BlobStore open(Config.Storage.S3 s3) {
        return new S3Blobs(new S3Settings(
                s3.bucket(),
                Optional.ofNullable(s3.endpoint()),
                s3.region(),
                s3.accessKey(),
                s3.secretKey().reveal(),
                s3.prefix(),
                s3.pathStyle()));
    }
}
