package dev.parley.threads;

import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.Entry;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies the edits, deletions and reactions that an integration delivers for people on its platform. Edits and
 * deletions change only messages of these people. The author of a revision is the person who revised.
 */
public final class SourceRevisions {
    private final Log log;
    private final LogReader reader;
    private final Messages messages;

    public SourceRevisions(Log log, LogReader reader, Messages messages) {
        this.log = log;
        this.reader = reader;
        this.messages = messages;
    }

    /**
     * A message that came from a source, and the key by which a repeated revision is recognised.
     *
     * @param key null if the platform gives no id for the delivery
     */
    public record MessageRef(
            String source,
            ThreadId thread,
            long seq,
            @Nullable EntryKey key) {}

    /** Refuses a text that can be neither an emoji nor a platform's name for an emoji. */
    public static void requireEmoji(String emoji) {
        Revisions.requireEmoji(emoji);
    }

    /** Replaces the text of a platform's message. False if there is nothing to change. */
    public boolean edit(MessageRef ref, String content) {
        return findExternal(ref)
                .filter(message -> !message.content().equals(content))
                .map(message -> append(ref, message, EntryKind.EDIT, "edit", author(message), content))
                .orElse(false);
    }

    /** Deletes a platform's message. False if there is nothing to delete. */
    public boolean delete(MessageRef ref) {
        return findExternal(ref)
                .map(message -> append(ref, message, EntryKind.DELETION, "delete", author(message), ""))
                .orElse(false);
    }

    /**
     * Adds or removes a reaction by a platform's user. The message may be any message, including an agent's. Returns
     * false if the reaction already exists, or is already gone.
     */
    public boolean react(MessageRef ref, Actor sender, String emoji, boolean added) {
        Revisions.requireEmoji(emoji);
        EntryKind kind = added ? EntryKind.REACTION : EntryKind.REACTION_REMOVED;
        return find(ref)
                .filter(message -> message.hasReaction(emoji, sender) != added)
                .map(message -> append(ref, message, kind, added ? "react" : "unreact", sender, emoji))
                .orElse(false);
    }

    /**
     * Returns false if the revision was delivered before. It is then not applied again, because the thread has changed
     * since.
     */
    private boolean append(
            MessageRef ref, RevisedMessage target, EntryKind kind, String name, Actor author, String content) {
        // The key alone identifies the revision, as with messages, so all revisions have the same fingerprint.
        Draft draft = Draft.of(
                Revisions.said(target, kind, name, new Speaker(author, Role.USER), content),
                ref.key(),
                Fingerprint.of("", List.of(), null, null));
        return !log.append(new Command(
                        UuidV7.next(),
                        ref.thread(),
                        Sources.integration(ref.source()),
                        List.of(new Change.Append(draft))))
                .entries()
                .getFirst()
                .duplicate();
    }

    private static Actor author(RevisedMessage message) {
        return message.original().content().author();
    }

    private Optional<RevisedMessage> findExternal(MessageRef ref) {
        return find(ref).filter(message -> author(message).kind() == Actor.Kind.EXTERNAL);
    }

    private Optional<RevisedMessage> find(MessageRef ref) {
        List<Entry> entries = reader.entriesAt(ref.thread(), List.of(ref.seq()));
        return messages.revised(ref.thread(), entries).stream()
                .filter(message -> message.original().content().kind() == EntryKind.MESSAGE && !message.isDeleted())
                .findFirst();
    }
}
