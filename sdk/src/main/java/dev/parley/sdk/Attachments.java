package dev.parley.sdk;

import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agent.AttachmentUploaded;
import dev.parley.protocol.agent.AttachmentUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Uploads images for messages, and returns URLs that show them. */
public final class Attachments {
    private static final String PATH = "/api/v1/agent/attachments";
    /** The lowest speed, in bytes per millisecond, at which an upload still ends in time. */
    private static final long BYTES_PER_MILLISECOND = 32;

    private final Transport transport;

    Attachments(Transport transport) {
        this.transport = transport;
    }

    /** Uploads a local file. */
    public AttachmentUploaded upload(Path file) throws IOException {
        return upload(Upload.of(file));
    }

    public AttachmentUploaded upload(Upload upload) {
        return upload(upload, (sent, total) -> {});
    }

    /**
     * Uploads an image and retries until an answer arrives. Retries carry the same key, so the image is stored once. An
     * image that can be read only once is not retried.
     */
    public AttachmentUploaded upload(Upload upload, UploadListener listener) {
        Request request = Request.upload(PATH, new UploadForm(upload, listener))
                .keyed(UuidV7.next().toString())
                .waiting(Duration.ofMillis(upload.bytes() / BYTES_PER_MILLISECOND));
        return transport.call(upload.repeatable() ? request : request.once(), AttachmentUploaded.class);
    }

    /**
     * A fresh URL of an image. The caller needs to be the uploader of the image, or a reader of a thread that shows the
     * image.
     */
    public AttachmentUrl signedUrl(String bucket, String path) {
        String query = "?bucket=" + Request.encode(bucket) + "&path=" + Request.encode(path);
        return transport.get(PATH + "/signed-url" + query, AttachmentUrl.class);
    }
}
