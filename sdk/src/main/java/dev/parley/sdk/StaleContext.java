package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.chat.Message;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The messages that an agent had not read when it posted: enough to answer again without another request.
 *
 * @param currentSeq the thread's last seq; the next {@code base_seq} once all of {@code missed} is read
 * @param staleLag the number of missed messages of other senders, up to 1,000
 * @param missed the first of the missed messages, up to 200
 */
public record StaleContext(long currentSeq, int staleLag, List<Message> missed) {
    static Optional<StaleContext> read(String slug, ObjectNode members) {
        if (!slug.equals(Problem.STALE_CONTEXT.slug())) {
            return Optional.empty();
        }
        try {
            Message[] missed = Json.MAPPER.treeToValue(members.path("missed_messages"), Message[].class);
            return Optional.of(new StaleContext(
                    members.path("current_seq").asLong(0),
                    members.path("stale_lag").asInt(0),
                    missed == null ? List.of() : List.of(missed)));
        } catch (JacksonException notAsPromised) {
            return Optional.empty();
        }
    }

    /**
     * True if more messages were missed than this record holds; read the rest with {@link ThreadClient#messagesAfter}.
     */
    public boolean isCut() {
        return missed.size() < staleLag;
    }
}
