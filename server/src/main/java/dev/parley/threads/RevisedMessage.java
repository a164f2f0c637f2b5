package dev.parley.threads;

import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A message as it stands now: the original with its revisions applied. */
public record RevisedMessage(
        Entry original,
        String content,
        @Nullable Instant editedAt,
        @Nullable Instant deletedAt,
        boolean withdrawn,
        boolean superseded,
        Map<String, Set<Actor>> reactions) {

    /** The message as it was posted. */
    public static RevisedMessage unrevised(Entry original) {
        return of(original, List.of());
    }

    static RevisedMessage of(Entry original, List<Entry> revisions) {
        if (original.isErased()) {
            // Revisions of an erased message do not count, because readers can no longer see the message.
            return new RevisedMessage(original, "", null, original.erasedAt(), false, false, Map.of());
        }
        String content = original.content().text();
        Instant editedAt = null;
        Instant deletedAt = null;
        boolean withdrawn = isMarked(original, "withdrawn");
        Map<String, Set<Actor>> reactions = new LinkedHashMap<>();
        for (Entry revision : revisions) {
            if (revision.isErased() && !revision.content().kind().standsWithoutWords()) {
                continue;
            }
            String text = revision.content().text();
            Actor author = revision.content().author();
            switch (revision.content().kind()) {
                case EDIT -> {
                    // An edit that lost the race against the deletion does not restore the text.
                    if (deletedAt == null) {
                        content = text;
                        editedAt = revision.createdAt();
                    }
                }
                case DELETION -> {
                    content = "";
                    deletedAt = revision.createdAt();
                }
                case REACTION ->
                    reactions
                            .computeIfAbsent(text, emoji -> new LinkedHashSet<>())
                            .add(author);
                case REACTION_REMOVED ->
                    reactions.computeIfPresent(text, (emoji, authors) -> {
                        authors.remove(author);
                        return authors.isEmpty() ? null : authors;
                    });
                case WITHDRAWAL -> withdrawn = true;
                // A supersession concerns a stretch of the thread, and not the message that it targets.
                case SUPERSESSION -> {}
                case MESSAGE -> throw new IllegalArgumentException(EntryKind.MESSAGE + " is not a revision");
            }
        }
        return new RevisedMessage(
                original, content, editedAt, deletedAt, withdrawn, isMarked(original, "superseded"), reactions);
    }

    /**
     * True if a run's message was stored as withdrawn or superseded when the run ended; only the server can set these
     * marks.
     */
    private static boolean isMarked(Entry original, String mark) {
        String metadata = original.content().metadata();
        return original.content().author().kind() == Actor.Kind.AGENT
                && metadata != null
                && metadata.contains("\"" + mark + "\":true");
    }

    /** True if the message was deleted or erased. No part of such a message is shown. */
    public boolean isDeleted() {
        return deletedAt != null;
    }

    /** True if the message was erased; an erased message is deleted as well. */
    public boolean isErased() {
        return original.isErased();
    }

    /** The same message as a valid answer again, because the run that should have answered anew failed. */
    RevisedMessage asRestored() {
        return new RevisedMessage(
                superseded ? original.about(without("superseded")) : original,
                content,
                editedAt,
                deletedAt,
                withdrawn,
                false,
                reactions);
    }

    private @Nullable String without(String mark) {
        String metadata = original.content().metadata();
        if (metadata == null) {
            return null;
        }
        ObjectNode remaining = (ObjectNode) Json.MAPPER.readTree(metadata);
        remaining.remove(mark);
        return Json.MAPPER.writeValueAsString(remaining);
    }

    /** The same message as superseded by another answer. */
    RevisedMessage asSuperseded() {
        return new RevisedMessage(original, content, editedAt, deletedAt, withdrawn, true, reactions);
    }

    boolean hasReaction(String emoji, Actor actor) {
        return reactions.getOrDefault(emoji, Set.of()).contains(actor);
    }
}
