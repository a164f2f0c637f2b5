package dev.parley.agents;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** An agent as it is registered. */
public record RegisteredAgent(
        UUID id,
        Actor owner,
        String displayName,
        Kind kind,
        ObjectNode config,
        Visibility visibility,
        boolean active,
        Instant createdAt) {

    /** How an agent answers. */
    public enum Kind {
        /** The built-in one that shows every feature and needs no key. */
        DEMO,
        /** An outside process with a token. */
        EXTERNAL,
        /** A server of AG-UI somewhere else, by its URL. */
        AGUI,
        /** A model of a provider, which this server asks itself. */
        MODEL;

        /** Whether the agent receives the members of {@code forwardedProps} that the server does not read itself. */
        public boolean receivesForwardedProps() {
            return switch (this) {
                case EXTERNAL, AGUI -> true;
                case DEMO, MODEL -> false;
            };
        }
    }

    /** Who may bring it into a thread. */
    public enum Visibility {
        PRIVATE,
        SHARED
    }

    public Actor actor() {
        return Actor.agent(id);
    }
}
