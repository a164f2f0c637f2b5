package dev.parley.api.chat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.Engagement;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.Reaction;
import dev.parley.protocol.chat.ThreadView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client's view of a thread that it follows: made from a snapshot and updated by events, in the plainest way. It has
 * its own read marker and unread count, but not those of others: a participant's reading is no event for the others.
 *
 * @param viewer the participant who follows
 */
record FollowedThread(
        Actor viewer,
        @Nullable String title,
        boolean archived,
        String mode,
        boolean deleted,
        long lastSeq,
        long readSeq,
        int unread,
        Map<Actor, Member> members,
        Map<Long, Shown> messages) {

    /** A participant. */
    record Member(
            String kind,
            String name,
            List<String> capabilities,
            @Nullable String mode) {}

    /** A message. */
    record Shown(
            String id,
            Actor author,
            String role,
            String content,
            @Nullable ObjectNode metadata,
            List<Actor> mentions,
            Instant createdAt,
            @Nullable String clientMessageId,
            @Nullable Instant editedAt,
            @Nullable Instant deletedAt,
            Map<String, List<Actor>> reactions,
            @Nullable List<Engagement> engagement) {}

    static FollowedThread of(Actor viewer, ThreadView thread, List<Message> messages) {
        Map<Actor, Member> members = new LinkedHashMap<>();
        for (Participant each : thread.participants()) {
            members.put(
                    each.senderId(),
                    new Member(
                            each.participantKind(), each.displayName(), each.capabilities(), each.participationMode()));
        }
        Map<Long, Shown> shown = new LinkedHashMap<>();
        for (Message each : messages) {
            Map<String, List<Actor>> reactions = new LinkedHashMap<>();
            for (Reaction reaction : each.reactions()) {
                reactions.put(reaction.emoji(), reaction.senderIds());
            }
            shown.put(
                    each.threadSeq(),
                    new Shown(
                            each.id(),
                            each.senderId(),
                            each.role(),
                            each.content(),
                            each.metadata(),
                            each.mentions(),
                            each.createdAt(),
                            each.clientMessageId(),
                            each.editedAt(),
                            each.deletedAt(),
                            reactions,
                            each.engagement()));
        }
        long readSeq = thread.participants().stream()
                .filter(each -> each.senderId().equals(viewer))
                .mapToLong(Participant::lastReadSeq)
                .findFirst()
                .orElseThrow();
        return new FollowedThread(
                viewer,
                thread.title(),
                thread.isArchived(),
                thread.participationMode(),
                false,
                thread.lastSeq(),
                readSeq,
                thread.unreadCount(),
                members,
                shown);
    }

    FollowedThread plus(List<EventEnvelope> events) {
        FollowedThread now = this;
        for (EventEnvelope event : events) {
            now = switch (event.eventType()) {
                case "message_committed" -> now.said(event);
                case "message_revised" -> now.revised(event);
                case "thread_updated" -> now.updated(event, Objects.requireNonNull(event.metadata()));
                default -> throw new AssertionError("an event of no known type: " + event);
            };
        }
        return now;
    }

    private FollowedThread with(long seq, Shown message) {
        Map<Long, Shown> changed = new LinkedHashMap<>(messages);
        changed.put(seq, message);
        return new FollowedThread(viewer, title, archived, mode, deleted, lastSeq, readSeq, unread, members, changed);
    }

    private FollowedThread reaching(long seq) {
        return new FollowedThread(viewer, title, archived, mode, deleted, seq, readSeq, unread, members, messages);
    }

    /** The viewer reads up to a seq: the viewer's own act, so it needs no event. */
    FollowedThread read(long seq) {
        int left = (int) messages.entrySet().stream()
                .filter(each -> each.getKey() > seq && !each.getValue().author.equals(viewer))
                .count();
        return new FollowedThread(viewer, title, archived, mode, deleted, lastSeq, seq, left, members, messages);
    }

    /** The viewer counts its own messages as read, but not those of others. */
    private FollowedThread counting(long seq, Actor author) {
        return author.equals(viewer)
                ? read(seq)
                : new FollowedThread(
                        viewer, title, archived, mode, deleted, lastSeq, readSeq, unread + 1, members, messages);
    }

    private FollowedThread said(EventEnvelope event) {
        return with(
                        event.threadSeq(),
                        new Shown(
                                Objects.requireNonNull(event.messageId()),
                                Objects.requireNonNull(event.senderId()),
                                Objects.requireNonNull(event.role()),
                                Objects.requireNonNull(event.content()),
                                event.metadata(),
                                event.mentions(),
                                event.createdAt(),
                                event.clientMessageId(),
                                null,
                                null,
                                Map.of(),
                                event.engagement()))
                .counting(event.threadSeq(), Objects.requireNonNull(event.senderId()))
                .reaching(event.threadSeq());
    }

    private FollowedThread revised(EventEnvelope event) {
        JsonNode what = Objects.requireNonNull(event.metadata());
        long seq = what.path("target_seq").asLong();
        Shown old = Objects.requireNonNull(messages.get(seq));
        String content = Objects.requireNonNull(event.content());
        Actor author = Objects.requireNonNull(event.senderId());
        Shown now = switch (what.path("revision").asString()) {
            case "edit" -> shown(old, content, old.metadata, old.mentions, event.createdAt(), null, old.reactions);
            case "delete" -> shown(old, "", null, List.of(), old.editedAt, event.createdAt(), old.reactions);
            case "react" -> reacted(old, content, author, true);
            case "unreact" -> reacted(old, content, author, false);
            default -> throw new AssertionError("a revision of no known kind: " + event);
        };
        return with(seq, now).reaching(event.threadSeq());
    }

    private static Shown shown(
            Shown old,
            String content,
            @Nullable ObjectNode metadata,
            List<Actor> mentions,
            @Nullable Instant editedAt,
            @Nullable Instant deletedAt,
            Map<String, List<Actor>> reactions) {
        return new Shown(
                old.id,
                old.author,
                old.role,
                content,
                metadata,
                mentions,
                old.createdAt,
                old.clientMessageId,
                editedAt,
                deletedAt,
                reactions,
                old.engagement);
    }

    private static Shown reacted(Shown old, String emoji, Actor author, boolean added) {
        Map<String, List<Actor>> reactions = new LinkedHashMap<>(old.reactions);
        List<Actor> authors = new ArrayList<>(reactions.getOrDefault(emoji, List.of()));
        authors.remove(author);
        if (added) {
            authors.add(author);
        }
        if (authors.isEmpty()) {
            reactions.remove(emoji);
        } else {
            reactions.put(emoji, authors);
        }
        return shown(old, old.content, old.metadata, old.mentions, old.editedAt, old.deletedAt, reactions);
    }

    private FollowedThread updated(EventEnvelope event, ObjectNode change) {
        Map<Actor, Member> changed = new LinkedHashMap<>(members);
        String newMode = mode;
        if (change.has("participation_mode")) {
            String wanted = change.path("participation_mode").asString();
            if (change.has("sender_id")) {
                changed.computeIfPresent(
                        new Actor(change.path("sender_id").asString()),
                        (actor, old) -> new Member(old.kind, old.name, old.capabilities, wanted));
            } else {
                newMode = wanted;
            }
        }
        for (JsonNode added : change.path("participants_added")) {
            List<String> capabilities = new ArrayList<>();
            added.path("capabilities").forEach(each -> capabilities.add(each.asString()));
            changed.put(
                    new Actor(added.path("sender_id").asString()),
                    new Member(
                            added.path("participant_kind").asString(),
                            added.path("display_name").asString(),
                            capabilities,
                            null));
        }
        changed.remove(new Actor(change.path("participant_removed").asString("")));
        return new FollowedThread(
                viewer,
                change.has("title") ? change.path("title").asStringOpt().orElse(null) : title,
                change.path("is_archived").asBoolean(archived),
                newMode,
                change.path("is_deleted").asBoolean(deleted),
                event.threadSeq(),
                readSeq,
                unread,
                changed,
                messages);
    }
}
