package dev.parley.app;

import dev.parley.agents.Agents;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.threads.DisplayNames;
import dev.parley.threads.Participants;

/** The participants that callers may add to threads: every user, and the agents that the caller may use. */
record ThreadDirectory(DisplayNames names, Agents agents) implements Participants.Directory {
    @Override
    public String displayNameOf(Principal caller, Actor actor) {
        return switch (actor.kind()) {
            case USER -> names.nameOf(actor);
            case AGENT -> agents.requireUsable(caller, actor).displayName();
            case SYSTEM, EXTERNAL ->
                throw ProblemException.invalidField(
                        "participants", "names " + actor + ", which cannot be added to a thread");
        };
    }
}
