package dev.parley.app;

import dev.parley.agents.Agents;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.threads.DisplayNames;
import dev.parley.threads.Participants;

/** Whom callers may bring into threads: anybody who is a user, and agents they may use. */
record ThreadDirectory(DisplayNames names, Agents agents) implements Participants.Directory {
    @Override
    public String displayNameOf(Principal caller, Actor actor) {
        return switch (actor.kind()) {
            case USER -> names.nameOf(actor);
            case AGENT -> agents.requireUsable(caller, actor).displayName();
            case SYSTEM, EXTERNAL ->
                throw ProblemException.invalidField("participants", "names " + actor + ", who cannot be brought in");
        };
    }
}
