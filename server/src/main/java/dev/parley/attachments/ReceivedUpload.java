package dev.parley.attachments;

import dev.parley.attachments.images.Probe;

/** An upload that has arrived on this machine's disk and is nobody's yet; closing it lets go of it. */
public record ReceivedUpload(StagedBlob staged, Probe probe) implements AutoCloseable {
    @Override
    public void close() {
        staged.close();
    }
}
