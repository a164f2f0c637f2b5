package dev.parley.ingest;

import org.jspecify.annotations.Nullable;

/** Messages of a platform before an inbound message. The thread of the inbound message may lack them. */
public sealed interface MissingHistory {
    /** Reads the messages from the platform. */
    PlatformHistory.Reader reader();

    /**
     * The inbound message belongs to a thread of the platform, whose history is read once.
     *
     * @param root the platform's id of the thread's first message, if that message is in the same channel; null if the
     *     id is unknown
     * @param allDelivered true if the platform sends every message of the channel; then a log with the root also has
     *     all later replies
     */
    record InThread(@Nullable String root, boolean allDelivered, PlatformHistory.Reader reader)
            implements MissingHistory {}

    /**
     * The inbound message answers another message in its channel.
     *
     * @param externalId the platform's id of the answered message
     */
    record Reply(String externalId, PlatformHistory.Reader reader) implements MissingHistory {}
}
