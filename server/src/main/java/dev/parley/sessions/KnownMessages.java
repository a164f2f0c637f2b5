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
 * Finds the messages of a post that a session already has. Clients post messages again that they have read, with links
 * in place of media. Some of these messages came from other faces, and have the form in which Parley served them.
 */
final class KnownMessages {
    /** The fingerprint of an erased message. Its body is unknown, so any post of its id is a repetition. */
    private static final Digest ERASED = Digest.of(new byte[0]);

    private final ChatEventStore store;
    private final Messages messages;
    private final SessionMedia media;

    KnownMessages(ChatEventStore store, Messages messages, SessionMedia media) {
        this.store = store;
        this.messages = messages;
        this.media = media;
    }

    /** The messages that are new; refuses all messages if one has the id of a different client message. */
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
            Set<String> repeated = brought(thread, fresh);
            fresh.removeIf(event -> repeated.contains(event.messageId()));
        }
        return fresh;
    }

    private void requireSentBack(ThreadId thread, List<NewChatEvent> differing) {
        for (NewChatEvent event : differing) {
            // The messages are read one by one, because a short post may name many long messages.
            ChatEventRow.Stored stored =
                    store.byMessage(thread, List.of(event.messageId())).get(event.messageId());
            if (stored == null
                    || !media.isSentBack(event.message(), stored.row().stored())) {
                throw reused(event.messageId());
            }
        }
    }

    /**
     * The ids of the posted messages that repeat a message from another face, in its current or in its first version.
     * The content is compared, because an equal id alone proves nothing.
     */
    private Set<String> brought(ThreadId thread, List<NewChatEvent> fresh) {
        Map<String, NewChatEvent> byId = new HashMap<>();
        fresh.forEach(event -> byId.put(event.messageId(), event));
        List<RevisedMessage> named = messages.named(thread, byId.keySet());
        List<RevisedMessage> forms = new ArrayList<>(named);
        named.forEach(message -> forms.add(RevisedMessage.unrevised(message.original())));
        List<StoredMessage> texts = media.inAgnoForm(
                thread,
                forms.stream()
                        .map(form -> new AgnoMessage(form, MessageUsage.NONE))
                        .toList());
        Set<String> known = new HashSet<>();
        // A client that still has an erased message must not restore the message.
        named.stream()
                .filter(RevisedMessage::isErased)
                .forEach(message -> known.add(message.original().content().id()));
        for (int i = 0; i < forms.size(); i++) {
            NewChatEvent event = byId.get(forms.get(i).original().content().id());
            if (event != null && media.isSentBack(withoutMetrics(event), texts.get(i))) {
                known.add(event.messageId());
            }
        }
        return known;
    }

    /** The message without its metrics, because its usage may become known after the client has read it. */
    private static ObjectNode withoutMetrics(NewChatEvent event) {
        ObjectNode message = event.message().deepCopy();
        message.remove("metrics");
        return message;
    }

    static ProblemException reused(String messageId) {
        return new ProblemException(
                Problem.KEY_REUSED,
                "This session has another message with the id " + messageId + "; nothing of the post was written.",
                List.of(),
                Map.of("message_id", messageId));
    }
}
