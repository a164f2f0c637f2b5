package dev.parley.attachments;

import dev.parley.attachments.images.Probe;

/** An upload on this machine's disk that is not stored yet; closing it deletes it. */
public record ReceivedUpload(StagedBlob staged, Probe probe) implements AutoCloseable {
    @Override
    public void close() {
        staged.close();
    }
}
