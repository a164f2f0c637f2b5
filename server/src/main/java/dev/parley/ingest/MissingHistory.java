package dev.parley.ingest;

import org.jspecify.annotations.Nullable;

/** Messages of a platform that belong before a delivered one, and that its thread here may lack. */
public sealed interface MissingHistory {
    /** Asks the platform for them. */
    PlatformHistory.Reader reader();

    /**
     * The delivered message stands in a thread of the platform. Its history is read once.
     *
     * @param root the platform's id of the thread's first message, if that one is in the same channel; null if unknown
     * @param allDelivered true if the platform delivers every message of the channel: then a log with the root has the
     *     replies since
     */
    record InThread(@Nullable String root, boolean allDelivered, PlatformHistory.Reader reader)
            implements MissingHistory {}

    /**
     * The delivered message answers another one of its channel.
     *
     * @param externalId the platform's id of the answered message
     */
    record Reply(String externalId, PlatformHistory.Reader reader) implements MissingHistory {}
}
