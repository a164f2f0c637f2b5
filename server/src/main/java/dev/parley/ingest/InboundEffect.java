package dev.parley.ingest;

import dev.parley.log.Effect;
import dev.parley.log.Head;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes to the tables of inbound events and bindings, in the transaction of the messages themselves. */
sealed interface InboundEffect extends Effect {
    /** An inbound event that arrives with its message. The event is written after the message has its seq. */
    record Received(InboundEvent event) implements InboundEffect {
        @Override
        public int weight() {
            String config = event.dispatchConfig();
            return 500 + (config == null ? 0 : config.length());
        }
    }

    /** An inbound event with its message's seq and the decision about its answer. */
    record Placed(InboundEvent event, long seq, String messageId, Verdict verdict) implements InboundEffect {}

    /**
     * The end of an attempt to read the history of a platform's thread. The command also appends the message with the
     * outcome of the attempt.
     *
     * @param holder the holder of the claim
     * @param retryAfter the pause before another attempt; null if none is needed
     */
    record HistoryRead(
            Channel channel, UUID holder, @Nullable Duration retryAfter) implements InboundEffect {}

    /** The earlier messages that the command's message quotes in its {@code thread_context}. */
    record Quoted(ThreadId thread, long seq, Channel channel, List<EarlierMessage> messages) implements InboundEffect {
        public Quoted {
            messages = List.copyOf(messages);
        }

        @Override
        public Effect at(Head head, Instant time) {
            return new Quoted(thread, head.lastSeq(), channel, messages);
        }

        @Override
        public int weight() {
            return 200 + 200 * messages.size();
        }
    }

    /**
     * Changes the verdict of an unanswered inbound event, because an agent answers the event now. Later commands of the
     * thread wait for the next batch, so that the event is answered only once.
     */
    record Raised(UUID id, Verdict verdict) implements InboundEffect {
        @Override
        public boolean concludes() {
            return true;
        }
    }
}
