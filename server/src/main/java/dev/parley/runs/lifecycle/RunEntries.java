package dev.parley.runs.lifecycle;

import dev.parley.basics.Text;
import dev.parley.log.Draft;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The entries that runs append to their threads: messages, and revisions of earlier messages. */
public final class RunEntries {
    private RunEntries() {}

    /**
     * A message of a run.
     *
     * @param wishedId the id under which the client or the viewers know the message; if this id is in use, the message
     * gets another id
     * @param givenId the id that the client gave to the message, stored beside the entry's own id
     */
    public static Draft message(
            String wishedId,
            Actor author,
            Role role,
            String content,
            ObjectNode metadata,
            List<Actor> mentions,
            @Nullable String givenId) {
        EntryContent entry = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                author,
                role,
                content,
                Text.mended(Json.MAPPER.writeValueAsString(metadata)),
                mentions,
                null,
                givenId,
                null,
                null);
        return Draft.of(entry, null, Fingerprint.of(content, mentions, metadata, null))
                .wishing(wishedId);
    }

    /** @param target the seq of the revision's target; each {@link EntryKind} describes the effect on its target */
    public static Draft revision(EntryKind kind, long target, Actor by) {
        String about = Json.MAPPER.writeValueAsString(
                Map.of("revision", kind.name().toLowerCase(Locale.ROOT), "target_seq", target));
        EntryContent content = new EntryContent(
                UuidV7.next().toString(), kind, target, by, Role.SYSTEM, "", about, List.of(), null, null, null, null);
        return Draft.of(content, null, Fingerprint.of("", List.of(), null, null));
    }
}
