package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.Messages;
import dev.parley.threads.ReadMessage;
import dev.parley.threads.RevisedMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads the first message of a platform's thread from our own log: it was said in the channel, whose thread has it. */
final class LoggedRoots {
    private final StoredMessages stored;
    private final Messages messages;
    private final Agents agents;

    LoggedRoots(StoredMessages stored, Messages messages, Agents agents) {
        this.stored = stored;
        this.messages = messages;
        this.agents = agents;
    }

    /** As it stands now; empty if the thread itself holds it; null if the log does not have it. */
    PlatformHistory.@Nullable Read find(ThreadId thread, Channel channel, String root) {
        StoredMessages.Position position = stored.find(channel, root).orElse(null);
        if (position == null) {
            return null;
        }
        if (position.thread().equals(thread)) {
            return new PlatformHistory.Read(List.of(), 0, false, null);
        }
        return messages.at(position.thread(), List.of(position.seq())).stream()
                .findFirst()
                .map(message -> read(message, root))
                .orElse(null);
    }

    private PlatformHistory.Read read(RevisedMessage message, String root) {
        if (message.isDeleted()) {
            return new PlatformHistory.Read(List.of(), 0, true, null);
        }
        ObjectNode metadata = ReadMessage.of(message).metadata();
        String token = metadata.path("mention_token").asString("");
        String text = message.content().isBlank() ? "(a file)" : message.content();
        return new PlatformHistory.Read(
                List.of(new EarlierMessage(
                        root,
                        null,
                        name(message.original().said().author(), metadata),
                        token.isEmpty() ? null : token,
                        text,
                        true)),
                0,
                false,
                null);
    }

    private String name(Actor author, ObjectNode metadata) {
        String shown = metadata.path("sender_display_name").asString("");
        if (!shown.isBlank()) {
            return shown;
        }
        return agents.find(author).map(RegisteredAgent::displayName).orElse(author.value());
    }
}
