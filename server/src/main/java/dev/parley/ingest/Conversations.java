package dev.parley.ingest;

import dev.parley.agents.RegisteredAgent;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.SourceThreads;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds or makes the thread that a message belongs to, and sees to it that those who speak there are in it. */
final class Conversations {
    /** Each time somebody else deleted the thread in between. */
    private static final int MOST_MOVES = 3;

    private final Bindings bindings;
    private final SourceThreads threads;
    private final Addressee addressee;

    Conversations(Bindings bindings, SourceThreads threads, Addressee addressee) {
        this.bindings = bindings;
        this.threads = threads;
        this.addressee = addressee;
    }

    /**
     * Where a message goes.
     *
     * @param agent who answers there, unless others do
     * @param hasAgent whether that one is in the thread: people may have put it out
     * @param archived whether nobody answers there any more
     */
    record Target(ThreadId thread, Actor agent, boolean hasAgent, boolean archived) {}

    /** Passes if a thread that was named by its id is one of this source's. */
    void requireSession(Keyholder holder, Incoming incoming) {
        ThreadId session = incoming.session();
        if (session != null) {
            require(session, holder, incoming, Actor.SYSTEM);
        }
    }

    /** Where a message goes, once those who speak there are in it. */
    Target open(Keyholder holder, Incoming incoming) {
        ThreadId session = incoming.session();
        return session == null ? bound(holder, incoming, named(holder, incoming)) : enter(session, holder, incoming);
    }

    /** The same for a thread that is known, and must be one of this source's. */
    Target enter(ThreadId thread, Keyholder holder, Incoming incoming) {
        Optional<Actor> named = named(holder, incoming);
        Actor agent = named.or(() -> bindings.of(thread).map(Bindings.Binding::agent))
                .orElseGet(() -> addressee.requireStandard(holder.owner(), Optional.empty()));
        return enter(thread, require(thread, holder, incoming, agent), holder, incoming, named, agent);
    }

    /**
     * Where a message would go.
     *
     * @param thread null if one would be made
     * @param joins whether the agent would join it
     */
    record Prospect(@Nullable ThreadId thread, Actor agent, boolean hasAgent, boolean joins) {}

    /** The same as {@link #open}, but nothing is made and nobody joins. */
    Prospect preview(Keyholder holder, Incoming incoming) {
        Optional<Actor> named = named(holder, incoming);
        ThreadId session = incoming.session();
        Optional<Bindings.Binding> before =
                session == null ? bindings.find(incoming.keys().channel()) : bindings.of(session);
        ThreadId thread = session == null ? before.map(Bindings.Binding::thread).orElse(null) : session;
        Actor agent = named.or(() -> before.map(Bindings.Binding::agent))
                .orElseGet(() -> addressee.requireStandard(holder.owner(), Optional.empty()));
        Optional<SourceThreads.Standing> now = thread == null
                ? Optional.empty()
                : threads.find(thread, incoming.sender().actor(), agent).filter(found -> !found.deleted());
        if (thread == null || now.isEmpty()) {
            return new Prospect(null, fresh(holder, named, before.map(Bindings.Binding::agent)), true, true);
        }
        requireOpen(now.get(), incoming);
        boolean joins = named.isPresent() && !now.get().hasAgent();
        return new Prospect(thread, agent, now.get().hasAgent() || joins, joins);
    }

    private static void requireOpen(SourceThreads.Standing now, Incoming incoming) {
        if (now.archived() && !incoming.verified()) {
            throw new ProblemException(Problem.THREAD_ARCHIVED, "The thread is archived; unarchive it before posting.");
        }
    }

    private Optional<Actor> named(Keyholder holder, Incoming incoming) {
        return addressee.named(holder.owner(), incoming).map(RegisteredAgent::actor);
    }

    private Target bound(Keyholder holder, Incoming incoming, Optional<Actor> named) {
        Channel channel = incoming.keys().channel();
        Optional<Bindings.Binding> before = bindings.find(channel);
        Bindings.Binding binding =
                before.orElseGet(() -> bindings.claim(channel, fresh(holder, named, Optional.empty())));
        for (int i = 0; i < MOST_MOVES; i++) {
            ThreadId thread = binding.thread();
            Actor agent = named.orElse(binding.agent());
            Optional<SourceThreads.Standing> now =
                    threads.find(thread, incoming.sender().actor(), agent);
            if (now.isEmpty()) {
                threads.create(
                        thread,
                        holder.source(),
                        holder.owner(),
                        binding.agent(),
                        incoming.sender().toStranger());
                // Somebody else may have been faster, with others in it.
                now = threads.find(thread, incoming.sender().actor(), agent);
            }
            if (now.isPresent() && !now.get().deleted()) {
                return enter(thread, now.get(), holder, incoming, named, agent);
            }
            binding = bindings.move(channel, thread, fresh(holder, named, Optional.of(binding.agent())));
        }
        throw new ProblemException(Problem.OVERLOADED, "The thread is being deleted again and again; try again.");
    }

    private Actor fresh(Keyholder holder, Optional<Actor> named, Optional<Actor> before) {
        return named.orElseGet(() -> addressee.requireStandard(holder.owner(), before));
    }

    /** Before anybody joins: a refusal leaves everything as it was. */
    private Target enter(
            ThreadId thread,
            SourceThreads.Standing now,
            Keyholder holder,
            Incoming incoming,
            Optional<Actor> named,
            Actor agent) {
        requireOpen(now, incoming);
        threads.join(
                thread,
                now,
                holder.source(),
                holder.owner(),
                named.orElse(null),
                incoming.sender().toStranger());
        return new Target(thread, agent, now.hasAgent() || named.isPresent(), now.archived());
    }

    private SourceThreads.Standing require(ThreadId thread, Keyholder holder, Incoming incoming, Actor agent) {
        return threads.find(thread, incoming.sender().actor(), agent)
                .filter(now -> !now.deleted() && holder.source().equals(now.source()))
                .orElseThrow(() -> Refusal.noSuchThread().toException());
    }
}
