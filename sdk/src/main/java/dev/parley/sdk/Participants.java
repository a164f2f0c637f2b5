package dev.parley.sdk;

import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.Caller;
import dev.parley.protocol.chat.ModeWish;
import dev.parley.protocol.chat.NewCapabilities;
import dev.parley.protocol.chat.NewParticipants;
import dev.parley.protocol.chat.Status;
import dev.parley.protocol.chat.ThreadView;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The participants of one thread, and the mode in which its agents answer. */
public final class Participants {
    private final Transport transport;
    private final String thread;

    Participants(Transport transport, String thread) {
        this.transport = transport;
        this.thread = thread;
    }

    /** Adds participants; actors who are in the thread already stay unchanged. */
    public ThreadView add(Collection<Actor> actors) {
        NewParticipants wanted =
                new NewParticipants(actors.stream().map(Actor::value).toList());
        return transport.call(Request.post(thread + "/participants", wanted), ThreadView.class);
    }

    /** @param capabilities all capabilities that the participant has from now on, such as {@code can_read} */
    public ThreadView allow(Actor actor, List<String> capabilities) {
        return transport.call(
                Request.patch(
                        thread + "/participants/" + Request.encode(actor.value()), new NewCapabilities(capabilities)),
                ThreadView.class);
    }

    public void remove(Actor actor) {
        transport.remove(thread + "/participants/" + Request.encode(actor.value()));
    }

    /** Removes the caller. */
    public void leave() {
        remove(transport.get(Parley.ME, Caller.class).senderId());
    }

    /** @param mode {@code open} or {@code invocation_only} */
    public void setMode(String mode) {
        setMode(new ModeWish(mode, null));
    }

    /** Sets the mode of one agent. With null, the thread's own mode applies to the agent again. */
    public void setMode(Actor agent, @Nullable String mode) {
        setMode(new ModeWish(mode, agent.value()));
    }

    private void setMode(ModeWish wish) {
        transport.call(Request.post(thread + "/mode", wish), Status.class);
    }
}
