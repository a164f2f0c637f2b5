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

/** A message as it stands now: what was said first, and what its revisions made of it. */
public record RevisedMessage(
        Entry original,
        String content,
        @Nullable Instant editedAt,
        @Nullable Instant deletedAt,
        boolean withdrawn,
        boolean superseded,
        Map<String, Set<Actor>> reactions) {

    /** As it was said, before anybody changed anything. */
    public static RevisedMessage unrevised(Entry original) {
        return of(original, List.of());
    }

    static RevisedMessage of(Entry original, List<Entry> revisions) {
        if (original.isErased()) {
            // Whatever still came behind it: nobody has seen what it was about.
            return new RevisedMessage(original, "", null, original.erasedAt(), false, false, Map.of());
        }
        String content = original.content().text();
        Instant editedAt = null;
        Instant deletedAt = null;
        boolean withdrawn = isBorn(original, "withdrawn");
        Map<String, Set<Actor>> reactions = new LinkedHashMap<>();
        for (Entry revision : revisions) {
            if (revision.isErased() && !revision.content().kind().standsWithoutWords()) {
                continue;
            }
            String said = revision.content().text();
            Actor author = revision.content().author();
            switch (revision.content().kind()) {
                case EDIT -> {
                    // An edit that lost the race against the deletion brings nothing back.
                    if (deletedAt == null) {
                        content = said;
                        editedAt = revision.createdAt();
                    }
                }
                case DELETION -> {
                    content = "";
                    deletedAt = revision.createdAt();
                }
                case REACTION ->
                    reactions
                            .computeIfAbsent(said, emoji -> new LinkedHashSet<>())
                            .add(author);
                case REACTION_REMOVED ->
                    reactions.computeIfPresent(said, (emoji, authors) -> {
                        authors.remove(author);
                        return authors.isEmpty() ? null : authors;
                    });
                case WITHDRAWAL -> withdrawn = true;
                // It speaks of a stretch of the thread, not of the message it stands at.
                case SUPERSESSION -> {}
                case MESSAGE -> throw new IllegalArgumentException(EntryKind.MESSAGE + " is not a revision");
            }
        }
        return new RevisedMessage(
                original, content, editedAt, deletedAt, withdrawn, isBorn(original, "superseded"), reactions);
    }

    /** What a run said that was taken back or overtaken at its end is written down as such; only the server can say so. */
    private static boolean isBorn(Entry original, String mark) {
        String metadata = original.content().metadata();
        return original.content().author().kind() == Actor.Kind.AGENT
                && metadata != null
                && metadata.contains("\"" + mark + "\":true");
    }

    /** Whether it was taken back, or erased: nothing of it is shown. */
    public boolean isDeleted() {
        return deletedAt != null;
    }

    /** Whether nothing is left of it; such a message is deleted as well. */
    public boolean isErased() {
        return original.isErased();
    }

    /** The same as an answer that stands again: the run that was to answer anew came to nothing. */
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
        ObjectNode left = (ObjectNode) Json.MAPPER.readTree(metadata);
        left.remove(mark);
        return Json.MAPPER.writeValueAsString(left);
    }

    /** The same, answered anew. */
    RevisedMessage asSuperseded() {
        return new RevisedMessage(original, content, editedAt, deletedAt, withdrawn, true, reactions);
    }

    boolean hasReaction(String emoji, Actor actor) {
        return reactions.getOrDefault(emoji, Set.of()).contains(actor);
    }
}
