package dev.parley.face.chat;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.http.Frames;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.Event;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.chat.Engagement;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.InboxHint;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.MessageUsage;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.Reaction;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.protocol.chat.WebhookEvent;
import dev.parley.runs.AnswerUsage;
import dev.parley.threads.InboxRow;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadSnapshot;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The chat face's views of threads and messages. */
public final class ChatViews {
    private ChatViews() {}

    /**
     * An event as the body of a webhook. The body contains the view that polls and streams send, in the envelope that
     * <a href="https://www.standardwebhooks.com">Standard Webhooks</a> proposes.
     */
    public static Optional<byte[]> webhookBody(Event event, Actor viewer) {
        if (event instanceof Event.Emitted) {
            return Optional.empty();
        }
        EventEnvelope envelope = new EventViews(
                        viewer.kind() == Actor.Kind.AGENT ? Optional.of(viewer) : Optional.empty())
                .envelope(event);
        return Optional.of(
                Json.MAPPER.writeValueAsBytes(new WebhookEvent(envelope.eventType(), envelope.createdAt(), envelope)));
    }

    /**
     * @param shown the views of the page's messages
     * @param after the cursor of a page that was read forwards
     * @param before the cursor of a page that was read backwards, which contains only smaller seqs
     */
    static MessagePage page(Messages.Page page, List<Message> shown, Optional<Long> after, long before) {
        List<RevisedMessage> found = page.messages();
        long nextAfter = found.isEmpty()
                ? after.orElse(Math.max(0, before - 1))
                : found.getLast().original().seq();
        long nextBefore = found.isEmpty()
                ? after.map(seq -> seq + 1).orElse(before)
                : found.getFirst().original().seq();
        Long stopped = page.stoppedAt();
        return new MessagePage(
                shown,
                page.more(),
                stopped != null && after.isPresent() ? stopped : nextAfter,
                stopped != null && after.isEmpty() ? stopped : nextBefore);
    }

    /**
     * The sender that the chat face shows. For a system message, the log contains the agent whose session the message
     * belongs to, but the chat face shows the system as the sender.
     */
    static Actor sender(EntryContent content) {
        return content.role() == Role.SYSTEM ? Actor.SYSTEM : content.author();
    }

    /** @param usage the tokens and cost of the model requests that produced the message; null if unknown */
    static Message message(RevisedMessage message, @Nullable AnswerUsage usage) {
        Entry entry = message.original();
        EntryContent content = entry.content();
        return new Message(
                content.id(),
                sender(content),
                content.role().wire(),
                message.content(),
                message.isDeleted() ? null : metadata(message),
                message.isDeleted() ? List.of() : content.mentions(),
                entry.createdAt(),
                content.clientMessageId(),
                content.replyTo(),
                entry.seq(),
                content.baseSeq(),
                content.latestSeenSeq(),
                entry.seq() - 1,
                entry.staleLag(),
                message.editedAt(),
                message.deletedAt(),
                entry.erasedAt(),
                message.reactions().entrySet().stream()
                        .map(each -> new Reaction(each.getKey(), List.copyOf(each.getValue())))
                        .toList(),
                engagement(entry),
                usage(usage));
    }

    private static @Nullable MessageUsage usage(@Nullable AnswerUsage used) {
        return used == null
                ? null
                : new MessageUsage(
                        used.inputTokens(),
                        used.outputTokens(),
                        used.cachedTokens(),
                        used.reasoningTokens(),
                        used.cost(),
                        used.currency());
    }

    private static @Nullable ObjectNode metadata(RevisedMessage message) {
        ObjectNode said = json(message.original().content().metadata());
        if (!message.withdrawn() && !message.superseded()) {
            return said;
        }
        ObjectNode shown = said == null ? Json.MAPPER.createObjectNode() : said;
        if (message.withdrawn()) {
            shown.put("withdrawn", true);
        }
        if (message.superseded()) {
            shown.put("superseded", true);
        }
        return shown;
    }

    /** The engagement of agents. Every reader sees it, because it explains why an agent answered or did not answer. */
    static @Nullable List<Engagement> engagement(Entry entry) {
        return entry.engagement().isEmpty()
                ? null
                : entry.engagement().stream()
                        .map(each -> new Engagement(each.agent(), each.respond(), each.reason(), each.run()))
                        .toList();
    }

    /**
     * The message in the response to its revision. A caller that may send but not read gets its own messages whole. Of
     * another author's message such a caller gets only the part that it has just changed.
     */
    static Message revised(Principal caller, RevisedMessage message, @Nullable AnswerUsage usage) {
        EntryContent content = message.original().content();
        if (caller.scopes().contains(Capability.CAN_READ) || content.author().equals(caller.actor())) {
            return message(message, usage);
        }
        Message complete = message(message, null);
        return new Message(
                complete.id(),
                complete.senderId(),
                complete.role(),
                "",
                null,
                List.of(),
                complete.createdAt(),
                null,
                null,
                complete.threadSeq(),
                null,
                null,
                complete.serverSeqAtSubmit(),
                null,
                complete.editedAt(),
                complete.deletedAt(),
                complete.erasedAt(),
                complete.reactions().stream()
                        .filter(reaction -> reaction.senderIds().contains(caller.actor()))
                        .map(reaction -> new Reaction(reaction.emoji(), List.of(caller.actor())))
                        .toList(),
                null,
                null);
    }

    /**
     * The message as it was posted, because every retry of a post gets the same response, regardless of later changes.
     */
    static PostedMessage posted(CommandOutcome.Placed placed) {
        Entry entry = placed.entry();
        Integer lag = entry.staleLag();
        return new PostedMessage(
                message(RevisedMessage.unrevised(entry), null),
                true,
                entry.content().id(),
                placed.duplicate(),
                lag == null ? null : lag > 0);
    }

    static dev.parley.protocol.chat.Entry entry(Entry entry) {
        EntryContent content = entry.content();
        return new dev.parley.protocol.chat.Entry(
                content.id(),
                entry.seq(),
                content.kind().name().toLowerCase(Locale.ROOT),
                content.targetSeq(),
                sender(content),
                content.role().wire(),
                content.text(),
                json(content.metadata()),
                entry.createdAt(),
                entry.erasedAt());
    }

    static ThreadView thread(ThreadSnapshot thread) {
        ThreadSnapshot.LastMessage last = thread.lastMessage();
        return new ThreadView(
                thread.id(),
                thread.type(),
                thread.title(),
                thread.archived(),
                thread.members().stream().map(ChatViews::participant).toList(),
                thread.lastSeq(),
                last == null ? null : last.at(),
                last == null ? null : last.preview(),
                thread.unread(),
                thread.participationMode(),
                thread.createdAt());
    }

    private static Participant participant(ThreadSnapshot.Member member) {
        return new Participant(
                member.actor(),
                member.actor().kind().name().toLowerCase(Locale.ROOT),
                member.displayName(),
                member.capabilities().stream().map(Capability::wire).toList(),
                member.participationMode(),
                member.lastReadSeq());
    }

    /** A hint of the inbox as a frame. It has no id, since hints are not replayed. */
    public static Frames hint(InboxRow row, String event) {
        return Frames.event(
                null,
                event,
                Json.MAPPER.writeValueAsString(
                        new InboxHint(row.thread(), row.lastSeq(), row.unread(), row.shouldRespond())));
    }

    static @Nullable ObjectNode json(@Nullable String text) {
        return text == null ? null : (ObjectNode) Json.MAPPER.readTree(text);
    }
}
