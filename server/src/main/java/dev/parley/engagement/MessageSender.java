package dev.parley.engagement;

import dev.parley.log.EntryContent;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import tools.jackson.databind.JsonNode;

/**
 * The sender of a message, and its kind. A bot of another platform counts as an agent. A message that a person typed on
 * the person's own device counts as a person's message, even if a bot's account sent it.
 *
 * @param passive true if no agent should answer
 */
record MessageSender(Actor actor, Kind kind, boolean passive) {
    enum Kind {
        PERSON,
        MACHINE,
        SYSTEM
    }

    /** The sender, judged by the actor alone. */
    static MessageSender of(Actor actor) {
        return of(actor, false);
    }

    /** @param bot true if an external actor is a bot */
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

    /**
     * The sender of a message. Only the metadata of messages from other platforms contains the sender's kind, so no
     * other metadata is parsed.
     */
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
