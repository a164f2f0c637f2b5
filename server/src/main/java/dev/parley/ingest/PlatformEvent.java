package dev.parley.ingest;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a platform tells of, once its adapter has verified and mapped it. Everything that comes is one of these. */
public sealed interface PlatformEvent {
    /**
     * Something was said.
     *
     * @param files what came with it and is still with the platform
     * @param echo what tells whether it is one of our own messages, come back
     * @param earlier messages that the model needs for it, and that the thread may lack
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

    /** What became of a message that was said before. */
    sealed interface Revision extends PlatformEvent {
        MessageRef message();
    }

    /** A message has another text now. */
    record Edited(MessageRef message, String text) implements Revision {}

    /** A message is gone. */
    record Deleted(MessageRef message) implements Revision {}

    /**
     * Somebody put a reaction to a message, or took it back.
     *
     * @param senderId with the source's prefix
     * @param emoji the emoji itself, or the platform's name for it
     */
    record Reacted(MessageRef message, String senderId, String displayName, String emoji, boolean added)
            implements Revision {}

    /**
     * Nothing that belongs into a thread, such as somebody joining a channel.
     *
     * @param why a word for the log
     */
    record Ignored(String why) implements PlatformEvent {}

    /**
     * Which message is meant.
     *
     * @param workspace empty where the platform has none
     * @param eventId what the platform calls this delivery
     * @param at when it happened there; null if the platform does not say
     */
    record MessageRef(
            String workspace,
            String channel,
            String externalMessageId,
            @Nullable String eventId,
            @Nullable Instant at) {
        /** Of what does not say when it happened. */
        public MessageRef(String workspace, String channel, String externalMessageId, @Nullable String eventId) {
            this(workspace, channel, externalMessageId, eventId, null);
        }

        public MessageRef happened(@Nullable Instant moment) {
            return new MessageRef(workspace, channel, externalMessageId, eventId, moment);
        }
    }

    /**
     * What tells our own messages from others.
     *
     * @param marker the marker that the platform shows on it
     * @param fromSelf whether the account said it that sends our answers, be it ours or not
     * @param mirrored whether the platform shows each message of this conversation twice, once as ours and once as theirs
     */
    record Echo(@Nullable String marker, boolean fromSelf, boolean mirrored) {
        public static final Echo NONE = new Echo(null, false, false);
    }
}
