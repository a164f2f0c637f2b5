package dev.parley.ingest;

import dev.parley.log.Effect;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happens to the tables of inbound events and bindings, in the transaction of the messages themselves. */
sealed interface InboundChange extends Effect {
    /** Comes with its message; where and as what it is written is known once the message has its place. */
    record Received(InboundEvent event) implements InboundChange {
        @Override
        public int weight() {
            String config = event.dispatchConfig();
            return 500 + (config == null ? 0 : config.length());
        }
    }

    /** The message has its place, and it is decided who answers it. */
    record Placed(InboundEvent event, long seq, String messageId, Verdict verdict) implements InboundChange {}

    /**
     * An attempt to read the history of a platform's thread is over; the message with its outcome comes along.
     *
     * @param holder who claimed the attempt
     * @param retryAfter the pause before another attempt; null if none is needed
     */
    record HistoryRead(
            Channel channel, UUID holder, @Nullable Duration retryAfter) implements InboundChange {}

    /** It is answered after all. Only once: what comes behind it is judged by it. */
    record Raised(UUID id, Verdict verdict) implements InboundChange {
        @Override
        public boolean concludes() {
            return true;
        }
    }
}
