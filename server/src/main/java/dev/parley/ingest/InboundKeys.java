package dev.parley.ingest;

import dev.parley.log.EntryKey;
import org.jspecify.annotations.Nullable;

/**
 * What a delivery is known again by: what the platform calls the message in its channel, and what it calls the delivery
 * in its workspace. Without either, everything that comes is new.
 */
record InboundKeys(
        Channel channel, @Nullable String message, @Nullable String event) {
    boolean isEmpty() {
        return message == null && event == null;
    }

    /** The key within a thread; what must be unique beyond it is the table's to know. */
    @Nullable
    EntryKey toEntryKey() {
        if (message != null) {
            return EntryKey.ingest(
                    "message", channel.workspace(), channel.place().wire() + ":" + channel.name(), message);
        }
        return event == null ? null : EntryKey.ingest("event", channel.workspace(), "", event);
    }
}
