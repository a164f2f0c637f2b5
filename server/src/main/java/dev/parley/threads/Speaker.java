package dev.parley.threads;

import dev.parley.auth.Principal;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;

/** In whose name something is said, and in which part. */
public record Speaker(Actor actor, Role role) {
    /** The caller itself. */
    public static Speaker of(Principal caller) {
        return switch (caller) {
            case Principal.Agent agent -> new Speaker(agent.actor(), Role.ASSISTANT);
            case Principal.User user -> new Speaker(user.actor(), Role.USER);
            case Principal.Integration integration -> new Speaker(integration.actor(), Role.USER);
        };
    }

    /** An agent that somebody else speaks for. */
    public static Speaker agent(Actor agent) {
        return new Speaker(agent, Role.ASSISTANT);
    }
}
