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
 * Second thoughts of people elsewhere, brought by the integration of their source. They change what came from there and
 * nothing else; whoever had the thought is its author.
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
     * A message that came from a source, and by what its revision is known again.
     *
     * @param key null if the platform does not say what it calls the delivery
     */
    public record MessageRef(
            String source,
            ThreadId thread,
            long seq,
            @Nullable EntryKey key) {}

    /** Passes what can be an emoji, or a platform's name for one. */
    public static void requireEmoji(String emoji) {
        Revisions.requireEmoji(emoji);
    }

    /** Replaces the text of what somebody elsewhere said. False if there is nothing to change. */
    public boolean edit(MessageRef spot, String content) {
        return findForeign(spot)
                .filter(found -> !found.content().equals(content))
                .map(found -> append(spot, found, EntryKind.EDIT, "edit", author(found), content))
                .orElse(false);
    }

    /** Takes back what somebody elsewhere said. False if there is nothing to take back. */
    public boolean delete(MessageRef spot) {
        return findForeign(spot)
                .map(found -> append(spot, found, EntryKind.DELETION, "delete", author(found), ""))
                .orElse(false);
    }

    /** Lets somebody elsewhere react, to an agent's message as to any other. False if it is so already. */
    public boolean react(MessageRef spot, Actor sender, String emoji, boolean added) {
        Revisions.requireEmoji(emoji);
        EntryKind kind = added ? EntryKind.REACTION : EntryKind.REACTION_REMOVED;
        return find(spot)
                .filter(found -> found.hasReaction(emoji, sender) != added)
                .map(found -> append(spot, found, kind, added ? "react" : "unreact", sender, emoji))
                .orElse(false);
    }

    /** False if this revision came before: the thread has moved on since. */
    private boolean append(
            MessageRef spot, RevisedMessage target, EntryKind kind, String name, Actor author, String content) {
        // The key alone makes it the same one, as with messages.
        Draft draft = Draft.of(
                Revisions.said(target, kind, name, new Speaker(author, Role.USER), content),
                spot.key(),
                Fingerprint.of("", List.of(), null, null));
        return !log.append(new Command(
                        UuidV7.next(),
                        spot.thread(),
                        Sources.integration(spot.source()),
                        List.of(new Change.Append(draft))))
                .entries()
                .getFirst()
                .duplicate();
    }

    private static Actor author(RevisedMessage message) {
        return message.original().content().author();
    }

    private Optional<RevisedMessage> findForeign(MessageRef spot) {
        return find(spot).filter(found -> author(found).kind() == Actor.Kind.EXTERNAL);
    }

    private Optional<RevisedMessage> find(MessageRef spot) {
        List<Entry> entries = reader.entriesAt(spot.thread(), List.of(spot.seq()));
        return messages.revised(spot.thread(), entries).stream()
                .filter(message -> message.original().content().kind() == EntryKind.MESSAGE && !message.isDeleted())
                .findFirst();
    }
}
