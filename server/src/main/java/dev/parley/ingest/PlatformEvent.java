package dev.parley.ingest;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event of a platform, after its adapter has verified and mapped it. */
public sealed interface PlatformEvent {
    /**
     * A message was posted.
     *
     * @param files the message's files, to be downloaded from the platform
     * @param echo signs that the message is one of the server's own messages
     * @param earlier messages that the model needs as context, and that the thread may lack
     */
    record Posted(InboundMessage message, List<RemoteFile> files, Echo echo, List<MissingHistory> earlier)
            implements PlatformEvent {
        public Posted {
            files = List.copyOf(files);
            earlier = List.copyOf(earlier);
        }

        public Posted(InboundMessage message, List<RemoteFile> files, Echo echo) {
            this(message, files, echo, List.of());
        }
    }

    /** A change of an earlier message. */
    sealed interface Revision extends PlatformEvent {
        MessageRef message();
    }

    /** A message was edited. */
    record Edited(MessageRef message, String text) implements Revision {}

    /** A message was deleted. */
    record Deleted(MessageRef message) implements Revision {}

    /**
     * A user added a reaction to a message, or removed it.
     *
     * @param senderId the user's id with the source's prefix
     * @param emoji the emoji itself, or the platform's name for it
     */
    record Reacted(MessageRef message, String senderId, String displayName, String emoji, boolean added)
            implements Revision {}

    /**
     * An event that changes no thread, such as a user joining a channel.
     *
     * @param reason a word for the log
     */
    record Ignored(String reason) implements PlatformEvent {}

    /**
     * The message of a revision.
     *
     * @param workspace empty if the platform has none
     * @param eventId the platform's id of the event; null if it has none
     * @param at the time of the event; null if the platform omits it
     */
    record MessageRef(
            String workspace,
            String channel,
            String externalMessageId,
            @Nullable String eventId,
            @Nullable Instant at) {
        /** The message of an event without a time. */
        public MessageRef(String workspace, String channel, String externalMessageId, @Nullable String eventId) {
            this(workspace, channel, externalMessageId, eventId, null);
        }

        public MessageRef happened(@Nullable Instant moment) {
            return new MessageRef(workspace, channel, externalMessageId, eventId, moment);
        }
    }

    /**
     * Signs that a message is one of the server's own messages.
     *
     * @param marker the marker on the message; null for none
     * @param fromSelf true if the account that sends the server's answers posted the message
     * @param mirrored true if the platform reports each message of this conversation twice, as sent and as received
     */
    record Echo(@Nullable String marker, boolean fromSelf, boolean mirrored) {
        public static final Echo NONE = new Echo(null, false, false);
    }
}
