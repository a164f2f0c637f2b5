package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.attachments.MessageFiles;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.Messages;
import dev.parley.threads.ReadMessage;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.SourceThreads;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the root of a platform's thread, which is the thread's first message, from the log. The log may contain the
 * root in another thread: in the thread that is bound to the channel.
 */
final class LoggedRoots {
    private final StoredMessages stored;
    private final Messages messages;
    private final SourceThreads threads;
    private final Agents agents;

    LoggedRoots(StoredMessages stored, Messages messages, SourceThreads threads, Agents agents) {
        this.stored = stored;
        this.messages = messages;
        this.threads = threads;
        this.agents = agents;
    }

    /**
     * The root in its current state; null if the log lacks the root. The result has no messages if the thread itself
     * contains the root.
     */
    PlatformHistory.@Nullable Read find(ThreadId thread, Channel channel, String root) {
        StoredMessages.Position position = stored.find(channel, root).orElse(null);
        if (position == null) {
            return null;
        }
        if (position.thread().equals(thread)) {
            return PlatformHistory.Read.all(List.of());
        }
        return messages.at(position.thread(), List.of(position.seq())).stream()
                .findFirst()
                .map(message -> read(position.thread(), message, root))
                .orElse(null);
    }

    private PlatformHistory.Read read(ThreadId thread, RevisedMessage message, String root) {
        if (message.isDeleted()) {
            return new PlatformHistory.Read(List.of(), PlatformHistory.Skipped.NONE, true, null);
        }
        ObjectNode metadata = ReadMessage.of(message).metadata();
        String token = metadata.path("mention_token").asString("");
        Actor author = message.original().content().author();
        return PlatformHistory.Read.all(List.of(new EarlierMessage(
                root,
                null,
                null,
                new EarlierMessage.Author(
                        author.value(), name(thread, author, metadata), token.isEmpty() ? null : token),
                message.content().isBlank() ? EarlierMessage.filePlaceholder(filenames(metadata)) : message.content(),
                message.original().createdAt(),
                true)));
    }

    private static Stream<String> filenames(ObjectNode metadata) {
        Stream<String> present = Stream.concat(
                        MessageFiles.in(metadata).stream(),
                        metadata.path("file_metadata").valueStream())
                .map(file -> file.path("filename").asString(""));
        Stream<String> missing = metadata.path("file_failures")
                .valueStream()
                .map(file -> file.path("name").asString(""));
        return Stream.concat(present, missing);
    }

    private String name(ThreadId thread, Actor author, ObjectNode metadata) {
        String displayName = metadata.path("sender_display_name").asString("");
        if (!displayName.isBlank()) {
            return displayName;
        }
        return agents.find(author)
                .map(RegisteredAgent::displayName)
                .or(() -> threads.displayName(thread, author))
                .orElse(author.value());
    }
}
