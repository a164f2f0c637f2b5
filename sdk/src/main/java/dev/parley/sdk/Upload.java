package dev.parley.sdk;

import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A file to upload. It is read while it is sent, never as a whole. */
public final class Upload {
    /** The type of a file whose type is unknown; the server looks at its bytes anyway. */
    private static final String UNKNOWN_TYPE = "application/octet-stream";

    /** The source of the bytes; opened for each attempt. */
    @FunctionalInterface
    private interface Source {
        BodyPublisher open() throws IOException;
    }

    private final Source source;
    private final long bytes;
    private final boolean repeatable;
    private final String filename;
    private final String mimeType;
    private final @Nullable ThreadId thread;
    private final @Nullable String runId;

    private Upload(
            Source source,
            long bytes,
            boolean repeatable,
            String filename,
            String mimeType,
            @Nullable ThreadId thread,
            @Nullable String runId) {
        this.source = source;
        this.bytes = bytes;
        this.repeatable = repeatable;
        this.filename = filename;
        this.mimeType = mimeType;
        this.thread = thread;
        this.runId = runId;
    }

    /** A local file, under its own name; retries send it again from its beginning. */
    public static Upload of(Path file) throws IOException {
        String type = Files.probeContentType(file);
        return new Upload(
                () -> BodyPublishers.ofFile(file),
                Files.size(file),
                true,
                String.valueOf(file.getFileName()),
                type == null ? UNKNOWN_TYPE : type,
                null,
                null);
    }

    /**
     * Bytes that can be read only once, so they are sent once. The caller closes the stream.
     *
     * @param bytes the exact number of bytes
     */
    public static Upload of(InputStream stream, long bytes, String filename, String mimeType) {
        return new Upload(streamed(() -> stream, bytes), bytes, false, filename, mimeType, null, null);
    }

    /**
     * Bytes that can be opened anew for each attempt.
     *
     * @param bytes the exact number of bytes
     */
    public static Upload of(Supplier<? extends InputStream> streams, long bytes, String filename, String mimeType) {
        return new Upload(streamed(streams, bytes), bytes, true, filename, mimeType, null, null);
    }

    private static Source streamed(Supplier<? extends InputStream> streams, long bytes) {
        return () -> bytes == 0
                ? BodyPublishers.noBody()
                : BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(streams), bytes);
    }

    /** Assigns the upload to a thread, which need not exist yet. */
    public Upload in(ThreadId id) {
        return new Upload(source, bytes, repeatable, filename, mimeType, id, runId);
    }

    /** Assigns the upload to a run. */
    public Upload forRun(String id) {
        return new Upload(source, bytes, repeatable, filename, mimeType, thread, id);
    }

    /** The length of the file. */
    public long bytes() {
        return bytes;
    }

    public String filename() {
        return filename;
    }

    public String mimeType() {
        return mimeType;
    }

    boolean repeatable() {
        return repeatable;
    }

    @Nullable
    ThreadId thread() {
        return thread;
    }

    @Nullable
    String runId() {
        return runId;
    }

    BodyPublisher open() throws IOException {
        return source.open();
    }
}
