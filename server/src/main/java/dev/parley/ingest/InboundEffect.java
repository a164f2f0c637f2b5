package dev.parley.ingest;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happens to the tables of inbound events and bindings, in the transaction of the messages themselves. */
sealed interface InboundEffect extends Effect {
    /** Comes with its message; where and as what it is written is known once the message has its place. */
    record Received(InboundEvent event) implements InboundEffect {
        @Override
        public int weight() {
            String config = event.dispatchConfig();
            return 500 + (config == null ? 0 : config.length());
        }
    }

    /** The message has its place, and it is decided who answers it. */
    record Placed(InboundEvent event, long seq, String messageId, Verdict verdict) implements InboundEffect {}

    /**
     * An attempt to read the history of a platform's thread is over; the message with its outcome comes along.
     *
     * @param holder who claimed the attempt
     * @param retryAfter the pause before another attempt; null if none is needed
     */
    record HistoryRead(
            Channel channel, UUID holder, @Nullable Duration retryAfter) implements InboundEffect {}

    /** The message before it quotes earlier messages in its {@code thread_context}. */
    record Quoted(ThreadId thread, long seq, Channel channel, List<EarlierMessage> messages) implements InboundEffect {
        public Quoted {
            messages = List.copyOf(messages);
        }

        @Override
        public Effect at(Head head) {
            return new Quoted(thread, head.lastSeq(), channel, messages);
        }

        @Override
        public int weight() {
            return 200 + 200 * messages.size();
        }
    }

    /** It is answered after all. Only once: what comes behind it is judged by it. */
    record Raised(UUID id, Verdict verdict) implements InboundEffect {
        @Override
        public boolean concludes() {
            return true;
        }
    }
}
