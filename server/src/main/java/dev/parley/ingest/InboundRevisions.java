package dev.parley.ingest;

import dev.parley.auth.Sources;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.log.EntryKey;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.threads.SourceRevisions;
import dev.parley.threads.SourceThreads;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies platforms' edits, deletions and reactions to their messages. A revision that arrives before its message waits
 * for the message. The append of a message looks for waiting revisions, and a revision that starts to wait looks for
 * its message once more, so one of two concurrent requests always sees the other request. Applying a revision twice
 * changes nothing.
 */
final class InboundRevisions {
    private static final Logger LOG = LoggerFactory.getLogger(InboundRevisions.class);

    private final WaitingRevisions waiting;
    private final StoredMessages stored;
    private final SourceThreads threads;
    private final SourceRevisions revisions;
    private final Limits.Ingest limits;
    private final int maxDisplayName;

    InboundRevisions(
            WaitingRevisions waiting,
            StoredMessages stored,
            SourceThreads threads,
            SourceRevisions revisions,
            Limits.Ingest limits,
            int maxDisplayName) {
        this.waiting = waiting;
        this.stored = stored;
        this.threads = threads;
        this.revisions = revisions;
        this.limits = limits;
        this.maxDisplayName = maxDisplayName;
    }

    Revised take(InboundOwner holder, PlatformEvent.Revision revision) {
        requireWellFormed(holder, revision);
        Optional<StoredMessages.Position> target = find(holder.source(), revision.message());
        if (!waiting.isLatest(holder.source(), revision)) {
            return target.map(position -> Revised.of(false, position.thread(), position.messageId()))
                    .orElse(Revised.WAITING);
        }
        if (target.isPresent()) {
            return apply(holder, revision, target.get());
        }
        waiting.store(holder.source(), revision);
        return find(holder.source(), revision.message())
                .map(position -> applyWaiting(holder, revision.message(), position))
                .orElse(Revised.WAITING);
    }

    /** Applies the revisions that wait for a message which is now stored. */
    Ingest.Accepted arrived(InboundOwner holder, InboundKeys keys, Ingest.Accepted message) {
        String external = keys.message();
        Channel channel = keys.channel();
        if (external != null && channel.scope() == Channel.Scope.CHANNEL) {
            applyWaiting(
                    holder,
                    new PlatformEvent.MessageRef(channel.workspace(), channel.name(), external, null),
                    new StoredMessages.Position(message.thread(), message.seq(), message.messageId()));
        }
        return message;
    }

    private Revised applyWaiting(
            InboundOwner holder, PlatformEvent.MessageRef message, StoredMessages.Position target) {
        List<WaitingRevisions.Waiting> waitingRevisions = waiting.list(holder.source(), message);
        boolean changed = false;
        for (WaitingRevisions.Waiting each : waitingRevisions) {
            changed |= applied(holder, each.revision(), target);
        }
        if (!waitingRevisions.isEmpty()) {
            waiting.forget(holder.source(), message, waitingRevisions);
        }
        return Revised.of(changed, target.thread(), target.messageId());
    }

    /** Applies a waiting revision. A revision that is no longer allowed is dropped. */
    private boolean applied(InboundOwner holder, PlatformEvent.Revision revision, StoredMessages.Position target) {
        try {
            return apply(holder, revision, target).result() == Revised.Result.APPLIED;
        } catch (ProblemException refused) {
            if (refused.problem().retryable()) {
                throw refused;
            }
            LOG.warn(
                    "Could not apply a waiting revision of a message of {}; dropping it: {}",
                    holder.source(),
                    refused.detail());
            return false;
        }
    }

    /** Applies a revision. A revision in a deleted thread changes nothing. */
    private Revised apply(InboundOwner holder, PlatformEvent.Revision revision, StoredMessages.Position target) {
        SourceRevisions.MessageRef ref =
                new SourceRevisions.MessageRef(holder.source(), target.thread(), target.seq(), key(revision));
        try {
            boolean changed = switch (revision) {
                case PlatformEvent.Edited edited -> revisions.edit(ref, edited.text());
                case PlatformEvent.Deleted deleted -> revisions.delete(ref);
                case PlatformEvent.Reacted reacted -> react(holder, reacted, ref);
            };
            return Revised.of(changed, target.thread(), target.messageId());
        } catch (ProblemException refused) {
            if (refused.problem() != Problem.THREAD_NOT_FOUND) {
                throw refused;
            }
            return Revised.of(false, target.thread(), target.messageId());
        }
    }

    private boolean react(InboundOwner holder, PlatformEvent.Reacted reacted, SourceRevisions.MessageRef ref) {
        Actor sender = requireSender(holder, reacted);
        if (reacted.added()) {
            // The reacting user joins the thread, so that readers see a name.
            threads.find(ref.thread(), sender, Actor.SYSTEM)
                    .filter(now -> !now.deleted() && !now.archived())
                    .ifPresent(now -> threads.join(
                            ref.thread(),
                            now,
                            holder.source(),
                            holder.owner(),
                            null,
                            new SourceThreads.Stranger(sender, reacted.displayName())));
        }
        return revisions.react(ref, sender, reacted.emoji(), reacted.added());
    }

    /** The inbound message with this id, or the agent's answer with this id, because users can react to answers. */
    private Optional<StoredMessages.Position> find(String source, PlatformEvent.MessageRef message) {
        return stored.find(
                new Channel(source, message.workspace(), Channel.Scope.CHANNEL, message.channel(), ""),
                message.externalMessageId());
    }

    /** The key of a revision. It contains the kind, because one event may report several revisions. */
    private static @Nullable EntryKey key(PlatformEvent.Revision revision) {
        PlatformEvent.MessageRef message = revision.message();
        String kind = switch (revision) {
            case PlatformEvent.Edited edited -> "edited";
            case PlatformEvent.Deleted deleted -> "deleted";
            case PlatformEvent.Reacted reacted ->
                (reacted.added() ? "reacted " : "unreacted ") + reacted.senderId() + " " + reacted.emoji();
        };
        return message.eventId() == null
                ? null
                : EntryKey.ingest(
                        "revision", message.workspace(), kind + " " + message.externalMessageId(), message.eventId());
    }

    private void requireWellFormed(InboundOwner holder, PlatformEvent.Revision revision) {
        PlatformEvent.MessageRef message = revision.message();
        requireId("workspace_id", message.workspace(), 0);
        requireId("channel_external_id", message.channel(), 1);
        requireId("external_message_id", message.externalMessageId(), 1);
        if (message.eventId() != null) {
            requireId("external_event_id", message.eventId(), 1);
        }
        switch (revision) {
            case PlatformEvent.Edited edited -> {
                Text.requireStorable("message", edited.text());
                Text.requireAtMost("message", edited.text(), limits.text());
            }
            case PlatformEvent.Deleted deleted -> {}
            case PlatformEvent.Reacted reacted -> {
                requireSender(holder, reacted);
                SourceRevisions.requireEmoji(reacted.emoji());
                Text.requireStorable("sender_display_name", reacted.displayName());
                Text.requireAtMost("sender_display_name", reacted.displayName(), maxDisplayName);
            }
        }
    }

    private void requireId(String field, String id, int minBytes) {
        Text.requireId(field, id);
        int size = id.getBytes(StandardCharsets.UTF_8).length;
        if (size < minBytes || size > limits.externalId()) {
            throw ProblemException.invalidField(
                    field, "must have " + minBytes + " to " + limits.externalId() + " bytes");
        }
    }

    private Actor requireSender(InboundOwner holder, PlatformEvent.Reacted reacted) {
        requireId("sender_id", reacted.senderId(), 1);
        return MessageMetadata.sender(holder.source(), reacted.senderId())
                .orElseThrow(() -> ProblemException.invalidField(
                        "sender_id", "must be " + Sources.prefixOf(holder.source()) + ": and the sender's id there"));
    }
}
