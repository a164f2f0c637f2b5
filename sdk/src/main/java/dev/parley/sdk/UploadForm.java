package dev.parley.sdk;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An upload as a form: the fields that describe the file, then the file itself, streamed from its source. */
final class UploadForm implements Request.Body {
    private static final String LINE = "\r\n";

    private final Upload upload;
    private final UploadListener listener;
    private final String boundary = "parley-" + UUID.randomUUID();
    private final AtomicLong reported = new AtomicLong();

    UploadForm(Upload upload, UploadListener listener) {
        this.upload = upload;
        this.listener = listener;
    }

    @Override
    public String type() {
        return "multipart/form-data; boundary=" + boundary;
    }

    @Override
    public BodyPublisher open() throws IOException {
        return BodyPublishers.concat(
                BodyPublishers.ofString(before()),
                new CountedBody(upload.open(), this::tell),
                BodyPublishers.ofString(LINE + "--" + boundary + "--" + LINE));
    }

    /** Reports progress. A retry reports nothing until it has sent more than the attempts before. */
    private void tell(long sent) {
        if (reported.getAndAccumulate(sent, Math::max) < sent) {
            listener.sent(sent, upload.bytes());
        }
    }

    private String before() {
        return field("threadId", upload.thread())
                + field("runId", upload.runId())
                + "--" + boundary + LINE
                + "Content-Disposition: form-data; name=\"file\"; filename=\"" + escaped(upload.filename()) + "\""
                + LINE
                + "Content-Type: " + oneLine(upload.mimeType()) + LINE + LINE;
    }

    private String field(String name, @Nullable Object value) {
        return value == null
                ? ""
                : "--" + boundary + LINE
                        + "Content-Disposition: form-data; name=\"" + name + "\"" + LINE + LINE
                        + value + LINE;
    }

    /** A file name as browsers write it. */
    private static String escaped(String filename) {
        return filename.replace("\r", "%0D").replace("\n", "%0A").replace("\"", "%22");
    }

    private static String oneLine(String type) {
        return type.replaceAll("[\\r\\n]", " ");
    }
}
