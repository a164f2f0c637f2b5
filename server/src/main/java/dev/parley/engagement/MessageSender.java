package dev.parley.engagement;

import dev.parley.log.EntryContent;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import tools.jackson.databind.JsonNode;

/**
 * Who speaks, and as what. A bot of another platform counts as an agent; what its people typed on a device of their own,
 * relayed or not, counts as theirs.
 *
 * @param passive whether nobody is meant to answer
 */
record MessageSender(Actor actor, Kind kind, boolean passive) {
    enum Kind {
        PERSON,
        MACHINE,
        SYSTEM
    }

    /** Of somebody about whom no more is known. */
    static MessageSender of(Actor actor) {
        return of(actor, false);
    }

    /** @param bot what is known of somebody of another platform */
    static MessageSender of(Actor actor, boolean bot) {
        return new MessageSender(
                actor,
                switch (actor.kind()) {
                    case USER -> Kind.PERSON;
                    case EXTERNAL -> bot ? Kind.MACHINE : Kind.PERSON;
                    case AGENT -> Kind.MACHINE;
                    case SYSTEM -> Kind.SYSTEM;
                },
                false);
    }

    /** Only what came from another platform says more of itself in its metadata; nothing else is parsed. */
    static MessageSender of(EntryContent content) {
        if (content.author().kind() != Actor.Kind.EXTERNAL || content.metadata() == null) {
            return of(content.author());
        }
        JsonNode metadata = Json.MAPPER.readTree(content.metadata());
        boolean bot = metadata.path("sender_type").asString("").equals("bot") && !isTrue(metadata, "is_from_me");
        return new MessageSender(content.author(), bot ? Kind.MACHINE : Kind.PERSON, isTrue(metadata, "passive"));
    }

    private static boolean isTrue(JsonNode metadata, String name) {
        JsonNode value = metadata.path(name);
        return value.isBoolean() && value.booleanValue();
    }
}
