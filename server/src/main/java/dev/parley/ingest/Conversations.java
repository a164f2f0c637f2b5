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
    private static final int MAX_MOVES = 3;

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
    void requireSession(InboundOwner holder, ParsedInbound inbound) {
        ThreadId session = inbound.session();
        if (session != null) {
            require(session, holder, inbound, Actor.SYSTEM);
        }
    }

    /** Where a message goes, once those who speak there are in it. */
    Target open(InboundOwner holder, ParsedInbound inbound) {
        ThreadId session = inbound.session();
        return session == null ? bound(holder, inbound, named(holder, inbound)) : enter(session, holder, inbound);
    }

    /** The same for a thread that is known, and must be one of this source's. */
    Target enter(ThreadId thread, InboundOwner holder, ParsedInbound inbound) {
        Optional<Actor> named = named(holder, inbound);
        Actor agent = named.or(() -> bindings.of(thread).map(Bindings.Binding::agent))
                .orElseGet(() -> addressee.requireStandard(holder.owner(), Optional.empty()));
        return enter(thread, require(thread, holder, inbound, agent), holder, inbound, named, agent);
    }

    /**
     * Where a message would go.
     *
     * @param thread null if one would be made
     * @param joins whether the agent would join it
     */
    record Prospect(@Nullable ThreadId thread, Actor agent, boolean hasAgent, boolean joins) {}

    /** The same as {@link #open}, but nothing is made and nobody joins. */
    Prospect preview(InboundOwner holder, ParsedInbound inbound) {
        Optional<Actor> named = named(holder, inbound);
        ThreadId session = inbound.session();
        Optional<Bindings.Binding> before =
                session == null ? bindings.find(inbound.keys().channel()) : bindings.of(session);
        ThreadId thread = session == null ? before.map(Bindings.Binding::thread).orElse(null) : session;
        Actor agent = named.or(() -> before.map(Bindings.Binding::agent))
                .orElseGet(() -> addressee.requireStandard(holder.owner(), Optional.empty()));
        Optional<SourceThreads.ThreadStatus> now = thread == null
                ? Optional.empty()
                : threads.find(thread, inbound.sender().actor(), agent).filter(found -> !found.deleted());
        if (thread == null || now.isEmpty()) {
            return new Prospect(null, fresh(holder, named, before.map(Bindings.Binding::agent)), true, true);
        }
        requireOpen(now.get(), inbound);
        boolean joins = named.isPresent() && !now.get().hasAgent();
        return new Prospect(thread, agent, now.get().hasAgent() || joins, joins);
    }

    private static void requireOpen(SourceThreads.ThreadStatus now, ParsedInbound inbound) {
        if (now.archived() && !inbound.verified()) {
            throw new ProblemException(Problem.THREAD_ARCHIVED, "The thread is archived; unarchive it before posting.");
        }
    }

    private Optional<Actor> named(InboundOwner holder, ParsedInbound inbound) {
        return addressee.named(holder.owner(), inbound).map(RegisteredAgent::actor);
    }

    private Target bound(InboundOwner holder, ParsedInbound inbound, Optional<Actor> named) {
        Channel channel = inbound.keys().channel();
        Optional<Bindings.Binding> before = bindings.find(channel);
        Bindings.Binding binding =
                before.orElseGet(() -> bindings.claim(channel, fresh(holder, named, Optional.empty())));
        for (int i = 0; i < MAX_MOVES; i++) {
            ThreadId thread = binding.thread();
            Actor agent = named.orElse(binding.agent());
            Optional<SourceThreads.ThreadStatus> now =
                    threads.find(thread, inbound.sender().actor(), agent);
            if (now.isEmpty()) {
                threads.create(
                        thread,
                        holder.source(),
                        holder.owner(),
                        binding.agent(),
                        inbound.sender().toStranger());
                // Somebody else may have been faster, with others in it.
                now = threads.find(thread, inbound.sender().actor(), agent);
            }
            if (now.isPresent() && !now.get().deleted()) {
                return enter(thread, now.get(), holder, inbound, named, agent);
            }
            binding = bindings.move(channel, thread, fresh(holder, named, Optional.of(binding.agent())));
        }
        throw new ProblemException(Problem.OVERLOADED, "The thread is being deleted again and again; try again.");
    }

    private Actor fresh(InboundOwner holder, Optional<Actor> named, Optional<Actor> before) {
        return named.orElseGet(() -> addressee.requireStandard(holder.owner(), before));
    }

    /** Before anybody joins: a refusal leaves everything as it was. */
    private Target enter(
            ThreadId thread,
            SourceThreads.ThreadStatus now,
            InboundOwner holder,
            ParsedInbound inbound,
            Optional<Actor> named,
            Actor agent) {
        requireOpen(now, inbound);
        threads.join(
                thread,
                now,
                holder.source(),
                holder.owner(),
                named.orElse(null),
                inbound.sender().toStranger());
        return new Target(thread, agent, now.hasAgent() || named.isPresent(), now.archived());
    }

    private SourceThreads.ThreadStatus require(
            ThreadId thread, InboundOwner holder, ParsedInbound inbound, Actor agent) {
        return threads.find(thread, inbound.sender().actor(), agent)
                .filter(now -> !now.deleted() && holder.source().equals(now.source()))
                .orElseThrow(() -> Refusal.noSuchThread().toException());
    }
}
