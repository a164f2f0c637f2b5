package dev.parley.agents;

import dev.parley.protocol.Actor;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** A registered agent. */
public record RegisteredAgent(
        UUID id,
        Actor owner,
        String displayName,
        Kind kind,
        ObjectNode config,
        Visibility visibility,
        boolean active,
        Instant createdAt) {

    /** An agent's way to answer. */
    public enum Kind {
        /** The built-in agent, which shows every feature and needs no key. */
        DEMO,
        /** The owner's own process, which has an agent token. */
        EXTERNAL,
        /** A remote AG-UI server with a URL. */
        AGUI,
        /** A provider's model, asked by this server. */
        MODEL;

        /** True if the agent receives the fields of {@code forwardedProps} that the server does not read itself. */
        public boolean receivesForwardedProps() {
            return switch (this) {
                case EXTERNAL, AGUI -> true;
                case DEMO, MODEL -> false;
            };
        }
    }

    /** The callers who may add an agent to a thread: its owner alone, or all callers. */
    public enum Visibility {
        PRIVATE,
        SHARED
    }

    public Actor actor() {
        return Actor.agent(id);
    }
}
