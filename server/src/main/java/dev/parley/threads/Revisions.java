package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.List;
import java.util.Map;

/** The front door of edits, deletions and reactions. Each is an entry of its own, and the original stays. */
public final class Revisions {
    private static final int MAX_EMOJI = 64;

    private final Log log;
    private final LogReader reader;
    private final Messages messages;
    private final ThreadAccess access;
    private final int maxId;

    public Revisions(Log log, LogReader reader, Messages messages, ThreadAccess access, int maxId) {
        this.log = log;
        this.reader = reader;
        this.messages = messages;
        this.access = access;
        this.maxId = maxId;
    }

    /** Replaces a message's text; only its author may. */
    public RevisedMessage edit(Principal caller, ThreadId thread, String messageId, String content) {
        caller.requireScope(Capability.CAN_SEND);
        messages.requireWellFormed(Messages.Utterance.text(content));
        RevisedMessage message = requireOwn(caller, thread, messageId);
        if (!message.content().equals(content)) {
            append(caller, message, EntryKind.EDIT, "edit", content);
        }
        return current(message);
    }

    /** Deletes a message; only its author may. */
    public RevisedMessage delete(Principal caller, ThreadId thread, String messageId) {
        caller.requireScope(Capability.CAN_SEND);
        RevisedMessage message = requireOwn(caller, thread, messageId);
        append(caller, message, EntryKind.DELETION, "delete", "");
        return current(message);
    }

    /** Adds a reaction; a repeated reaction changes nothing. */
    public RevisedMessage react(Principal caller, ThreadId thread, String messageId, String emoji) {
        caller.requireScope(Capability.CAN_SEND);
        requireEmoji(emoji);
        RevisedMessage message = require(caller, thread, messageId);
        if (!message.hasReaction(emoji, caller.actor())) {
            append(caller, message, EntryKind.REACTION, "react", emoji);
        }
        return current(message);
    }

    public RevisedMessage unreact(Principal caller, ThreadId thread, String messageId, String emoji) {
        caller.requireScope(Capability.CAN_SEND);
        requireEmoji(emoji);
        RevisedMessage message = require(caller, thread, messageId);
        if (message.hasReaction(emoji, caller.actor())) {
            append(caller, message, EntryKind.REACTION_REMOVED, "unreact", emoji);
        }
        return current(message);
    }

    /**
     * The message as it stands after the append, even if another caller has deleted it meanwhile: the append itself
     * succeeded.
     */
    private RevisedMessage current(RevisedMessage message) {
        return messages.revised(message.original().thread(), List.of(message.original()))
                .getFirst();
    }

    static void requireEmoji(String emoji) {
        Text.requireStorable("emoji", emoji);
        Text.requireAtMost("emoji", emoji, MAX_EMOJI);
    }

    private void append(Principal caller, RevisedMessage target, EntryKind kind, String name, String content) {
        log.append(Command.append(
                target.original().thread(),
                Draft.of(
                        said(target, kind, name, Speaker.of(caller), content),
                        null,
                        Fingerprint.of(content, List.of(), null, null))));
    }

    /** The content of an entry that revises a message. */
    public static EntryContent said(
            RevisedMessage target, EntryKind kind, String name, Speaker author, String content) {
        Entry original = target.original();
        return new EntryContent(
                UuidV7.next().toString(),
                kind,
                original.seq(),
                author.actor(),
                author.role(),
                content,
                Json.MAPPER.writeValueAsString(Map.of(
                        "revision", name,
                        "target_seq", original.seq(),
                        "target_id", original.content().id())),
                List.of(),
                null,
                null,
                null,
                null);
    }

    private RevisedMessage requireOwn(Principal caller, ThreadId thread, String messageId) {
        RevisedMessage message = require(caller, thread, messageId);
        if (!message.original().content().author().equals(caller.actor())) {
            throw new ProblemException(Problem.FORBIDDEN, "Only the author of a message may change it.");
        }
        return message;
    }

    private RevisedMessage require(Principal caller, ThreadId thread, String messageId) {
        RevisedMessage message = find(caller, thread, messageId);
        if (message.isDeleted()) {
            throw notFound();
        }
        return message;
    }

    private RevisedMessage find(Principal caller, ThreadId thread, String messageId) {
        access.requireSeen(caller, thread);
        if (messageId.length() > maxId || !Text.isStorable(messageId)) {
            throw notFound();
        }
        Entry entry = reader.findByKey(thread, EntryKey.id(messageId))
                .filter(found -> found.content().kind() == EntryKind.MESSAGE)
                .orElseThrow(Revisions::notFound);
        return messages.revised(thread, List.of(entry)).getFirst();
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.MESSAGE_NOT_FOUND, "There is no such message in this thread.");
    }
}
