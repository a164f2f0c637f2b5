package dev.parley.sessions;

import dev.parley.log.Digest;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which messages a session knows already. Clients write down again what they read: with links in place of its media, and
 * also what others said on other faces, in the form in which it was given out to them.
 */
final class KnownMessages {
    /** Of a message that is erased nobody can tell what it said: whoever brings it again means that one. */
    private static final Digest ERASED = Digest.of(new byte[0]);

    private final ChatEventStore store;
    private final Messages messages;
    private final SessionMedia media;

    KnownMessages(ChatEventStore store, Messages messages, SessionMedia media) {
        this.store = store;
        this.messages = messages;
        this.media = media;
    }

    /** Those that are new; refuses all if one has the id of another message that a client brought. */
    List<NewChatEvent> unknown(ThreadId thread, Map<String, NewChatEvent> byId) {
        Map<String, Digest> known = store.fingerprints(thread, byId.keySet());
        List<NewChatEvent> fresh = new ArrayList<>();
        List<NewChatEvent> differing = new ArrayList<>();
        for (NewChatEvent event : byId.values()) {
            Digest before = known.get(event.messageId());
            if (before == null) {
                fresh.add(event);
            } else if (!before.equals(ERASED) && !before.equals(event.fingerprint())) {
                differing.add(event);
            }
        }
        if (!differing.isEmpty()) {
            requireSentBack(thread, differing);
        }
        if (!fresh.isEmpty()) {
            Set<String> heard = heard(thread, fresh);
            fresh.removeIf(event -> heard.contains(event.messageId()));
        }
        return fresh;
    }

    private void requireSentBack(ThreadId thread, List<NewChatEvent> differing) {
        for (NewChatEvent event : differing) {
            // One by one: a short post may name many long messages.
            ChatEventRow.Stored stored =
                    store.byMessage(thread, List.of(event.messageId())).get(event.messageId());
            if (stored == null
                    || !media.isSentBack(event.message(), stored.row().stored())) {
                throw reused(event.messageId());
            }
        }
    }

    /** Those that are messages of other faces, as they stand or as they were said. Their ids alone prove nothing. */
    private Set<String> heard(ThreadId thread, List<NewChatEvent> fresh) {
        Map<String, NewChatEvent> byId = new HashMap<>();
        fresh.forEach(event -> byId.put(event.messageId(), event));
        List<RevisedMessage> said = messages.named(thread, byId.keySet());
        List<RevisedMessage> forms = new ArrayList<>(said);
        said.forEach(message -> forms.add(RevisedMessage.unrevised(message.original())));
        List<StoredMessage> texts = media.madeUp(
                thread,
                forms.stream()
                        .map(form -> new AgnoMessage(form, MessageUsage.NONE))
                        .toList());
        Set<String> heard = new HashSet<>();
        // What is erased shall not be said again by a client that still has it.
        said.stream()
                .filter(RevisedMessage::isErased)
                .forEach(message -> heard.add(message.original().content().id()));
        for (int i = 0; i < forms.size(); i++) {
            NewChatEvent event = byId.get(forms.get(i).original().content().id());
            if (event != null && media.isSentBack(withoutMetrics(event), texts.get(i))) {
                heard.add(event.messageId());
            }
        }
        return heard;
    }

    /** What a message has used may become known after it was first read. */
    private static ObjectNode withoutMetrics(NewChatEvent event) {
        ObjectNode message = event.message().deepCopy();
        message.remove("metrics");
        return message;
    }

    static ProblemException reused(String messageId) {
        return new ProblemException(
                Problem.KEY_REUSED,
                "This session has another message of the id " + messageId + "; nothing of the post was written.",
                List.of(),
                Map.of("message_id", messageId));
    }
}
