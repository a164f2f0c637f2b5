package dev.parley.history;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.log.Direction;
import dev.parley.log.EntryContent;
import dev.parley.log.LogReader;
import dev.parley.log.PageSize;
import dev.parley.log.Role;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Message;
import dev.parley.runs.AnswerUsage;
import dev.parley.runs.AnswerUsages;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A thread's conversation for a client that receives all of it at once: the visible messages, in their current state.
 * The size is limited in bytes, because clients fail with more. Messages that the client already has take precedence,
 * because the client deletes messages that it does not receive again.
 */
public final class Conversation {
    private static final int PAGE = 500;

    private static final long PAGE_BYTES = 1024 * 1024;

    private final Messages messages;
    private final LogReader reader;
    private final Attachments attachments;
    private final AnswerUsages usages;
    private final int maxMessages;

    public Conversation(
            Messages messages, LogReader reader, Attachments attachments, AnswerUsages usages, int maxMessages) {
        this.messages = messages;
        this.usages = usages;
        this.reader = reader;
        this.attachments = attachments;
        this.maxMessages = maxMessages;
    }

    /**
     * The visible messages.
     *
     * @param truncated true if earlier messages are left out
     */
    public record ConversationView(List<Message> messages, boolean truncated) {
        public ConversationView {
            messages = List.copyOf(messages);
        }
    }

    /**
     * The conversation up to a position of the thread.
     *
     * @param listed the ids of the messages that the client has
     * @param room the room for the messages, in bytes
     */
    public ConversationView upTo(ThreadId thread, long position, Collection<String> listed, long room) {
        Gathered gathered = new Gathered(thread, position, room);
        Collection<Long> known = reader.seqsOf(thread, listed).values();
        PageSize size = PageSize.of(PAGE, PAGE_BYTES);
        List<Long> remaining = known.stream().sorted(Comparator.reverseOrder()).toList();
        while (!remaining.isEmpty() && gathered.hasRoom()) {
            List<Long> next = remaining.subList(0, Math.min(PAGE, remaining.size()));
            Messages.Page page = messages.at(thread, next, Direction.BACKWARDS, size);
            gathered.add(page.messages());
            long first = page.more() ? page.messages().getFirst().original().seq() : next.getLast();
            remaining = remaining.stream().filter(seq -> seq < first).toList();
        }
        Set<Long> seen = new HashSet<>(known);
        long before = Long.MAX_VALUE;
        boolean more = true;
        while (more && gathered.hasRoom()) {
            Messages.Page page = messages.lastBefore(thread, before, size);
            more = page.more();
            if (!page.messages().isEmpty()) {
                before = page.messages().getFirst().original().seq();
                gathered.add(page.messages().stream()
                        .filter(message -> !seen.contains(message.original().seq()))
                        .toList());
            }
        }
        return gathered.view();
    }

    /** The collected messages, by seq. */
    private final class Gathered {
        private final ThreadId thread;
        private final long position;
        private final long room;
        private final Map<Long, List<Message>> bySeq = new TreeMap<>();
        private long bytes;
        private int count;
        private boolean full;
        private boolean incomplete;

        Gathered(ThreadId thread, long position, long room) {
            this.thread = thread;
            this.position = position;
            this.room = room;
        }

        boolean hasRoom() {
            return !full;
        }

        /** @param page the messages in ascending order; the last messages matter most */
        void add(List<RevisedMessage> page) {
            if (full) {
                return;
            }
            List<RevisedMessage> counting =
                    page.stream().filter(message -> counts(message)).toList();
            Map<ObjectKey, String> links = links(counting);
            Map<Long, AnswerUsage> used = usages.of(thread, counting);
            for (RevisedMessage message : counting.reversed()) {
                List<Message> turn = ClientMessages.of(
                        message, links, used.get(message.original().seq()));
                long size = Json.MAPPER.writeValueAsBytes(turn).length;
                if (size > room) {
                    // Only this message is left out, because earlier messages may fit.
                    incomplete = true;
                    continue;
                }
                if (bytes + size > room || count + turn.size() > maxMessages) {
                    full = true;
                    return;
                }
                bytes += size;
                count += turn.size();
                bySeq.put(message.original().seq(), turn);
            }
        }

        private boolean counts(RevisedMessage message) {
            return message.original().position() <= position
                    && !message.isDeleted()
                    && !message.withdrawn()
                    && !message.superseded()
                    && message.original().content().role() != Role.SYSTEM;
        }

        private Map<ObjectKey, String> links(List<RevisedMessage> page) {
            Set<ObjectKey> files = page.stream()
                    .map(message -> message.original().content())
                    .filter(content ->
                            content.metadata() != null && content.metadata().contains(MessageFiles.FIRST))
                    .flatMap(content -> MessageFiles.keysIn(metadata(content)).stream())
                    .collect(Collectors.toSet());
            return files.isEmpty() ? Map.of() : attachments.linksIn(thread, files);
        }

        ConversationView view() {
            List<Message> all = new ArrayList<>();
            bySeq.values().forEach(all::addAll);
            return new ConversationView(all, full || incomplete);
        }
    }

    private static JsonNode metadata(EntryContent content) {
        return content.metadata() == null ? Json.MAPPER.createObjectNode() : Json.MAPPER.readTree(content.metadata());
    }
}
