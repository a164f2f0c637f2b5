package dev.parley.ingest;

import dev.parley.log.EntryKey;
import org.jspecify.annotations.Nullable;

/**
 * The keys by which a repeated inbound message is recognised: the platform's id of the message in its channel, and its
 * id of the event in the workspace. A message without both is always new.
 */
record InboundKeys(
        Channel channel, @Nullable String message, @Nullable String event) {
    boolean isEmpty() {
        return message == null && event == null;
    }

    /** The key of the entry in its thread; the table of inbound events keeps keys unique across threads. */
    @Nullable
    EntryKey toEntryKey() {
        if (message != null) {
            return EntryKey.ingest(
                    "message", channel.workspace(), channel.scope().wire() + ":" + channel.name(), message);
        }
        return event == null ? null : EntryKey.ingest("event", channel.workspace(), "", event);
    }
}
