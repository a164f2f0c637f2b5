package dev.parley.threads;

import dev.parley.auth.Principal;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;

/** The author of a message: the actor, and the role in which it speaks. */
public record Speaker(Actor actor, Role role) {
    /** The caller as a speaker. */
    public static Speaker of(Principal caller) {
        return switch (caller) {
            case Principal.Agent agent -> new Speaker(agent.actor(), Role.ASSISTANT);
            case Principal.User user -> new Speaker(user.actor(), Role.USER);
            case Principal.Integration integration -> new Speaker(integration.actor(), Role.USER);
        };
    }

    /** An agent for which another caller speaks. */
    public static Speaker agent(Actor agent) {
        return new Speaker(agent, Role.ASSISTANT);
    }
}
