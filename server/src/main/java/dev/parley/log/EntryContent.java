package dev.parley.log;

import dev.parley.protocol.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of an entry, before and after it is appended. Never rewritten.
 *
 * @param id the message id, unique in its thread
 * @param kind a message, or a kind of revision
 * @param targetSeq the message that a revision changes; null for a message
 * @param metadata a JSON object as text, or null
 * @param clientMessageId the key as the client gave it
 * @param baseSeq the last seq that the author had read when it began to write; null if the author named no seq
 * @param latestSeenSeq the last seq that the author had seen when it sent; null if the author named no seq
 */
public record EntryContent(
        String id,
        EntryKind kind,
        @Nullable Long targetSeq,
        Actor author,
        Role role,
        String text,
        @Nullable String metadata,
        List<Actor> mentions,
        @Nullable String replyTo,
        @Nullable String clientMessageId,
        @Nullable Long baseSeq,
        @Nullable Long latestSeenSeq) {
    public EntryContent {
        mentions = List.copyOf(mentions);
    }

    /** The same content under its final id. */
    EntryContent withId(String given) {
        return given.equals(id)
                ? this
                : new EntryContent(
                        given,
                        kind,
                        targetSeq,
                        author,
                        role,
                        text,
                        metadata,
                        mentions,
                        replyTo,
                        clientMessageId,
                        baseSeq,
                        latestSeenSeq);
    }

    /** The same content with other metadata. */
    EntryContent withMetadata(@Nullable String other) {
        return new EntryContent(
                id,
                kind,
                targetSeq,
                author,
                role,
                text,
                other,
                mentions,
                replyTo,
                clientMessageId,
                baseSeq,
                latestSeenSeq);
    }

    /** A message that has only an author and a text. */
    public static EntryContent message(String id, Actor author, Role role, String content) {
        return new EntryContent(
                id, EntryKind.MESSAGE, null, author, role, content, null, List.of(), null, null, null, null);
    }
}
