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

/** Finds or creates the thread of a message, and adds its sender and agent to the thread. */
final class Conversations {
    /** Attempts to replace a thread that is deleted concurrently. */
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
     * The thread of a message.
     *
     * @param agent the thread's answering agent
     * @param hasAgent true if the agent is in the thread; people may have removed it
     * @param archived true if the thread is archived, so that no agent answers
     */
    record Target(ThreadId thread, Actor agent, boolean hasAgent, boolean archived) {}

    /** Throws if the message names the id of a thread that does not belong to the message's source. */
    void requireSession(InboundOwner holder, ParsedInbound inbound) {
        ThreadId session = inbound.session();
        if (session != null) {
            require(session, holder, inbound, Actor.SYSTEM);
        }
    }

    /** The thread of a message, with the sender and the agent as participants. */
    Target open(InboundOwner holder, ParsedInbound inbound) {
        ThreadId session = inbound.session();
        return session == null ? openBound(holder, inbound, named(holder, inbound)) : enter(session, holder, inbound);
    }

    /**
     * The given thread for a message, with the sender and the agent as participants. The thread must belong to the
     * message's source.
     */
    Target enter(ThreadId thread, InboundOwner holder, ParsedInbound inbound) {
        Optional<Actor> named = named(holder, inbound);
        Actor agent = named.or(() -> bindings.of(thread).map(Bindings.Binding::agent))
                .orElseGet(() -> addressee.requireDefault(holder.owner(), Optional.empty()));
        return enter(thread, require(thread, holder, inbound, agent), holder, inbound, named, agent);
    }

    /**
     * The thread that a message would get.
     *
     * @param thread the existing thread; null if a new thread would be created
     * @param joins true if the agent would join the thread
     */
    record Prospect(@Nullable ThreadId thread, Actor agent, boolean hasAgent, boolean joins) {}

    /** The result that {@link #open} would have, without any change. */
    Prospect preview(InboundOwner holder, ParsedInbound inbound) {
        Optional<Actor> named = named(holder, inbound);
        ThreadId session = inbound.session();
        Optional<Bindings.Binding> before =
                session == null ? bindings.find(inbound.keys().channel()) : bindings.of(session);
        ThreadId thread = session == null ? before.map(Bindings.Binding::thread).orElse(null) : session;
        Actor agent = named.or(() -> before.map(Bindings.Binding::agent))
                .orElseGet(() -> addressee.requireDefault(holder.owner(), Optional.empty()));
        Optional<SourceThreads.ThreadStatus> status = thread == null
                ? Optional.empty()
                : threads.find(thread, inbound.sender().actor(), agent).filter(found -> !found.deleted());
        if (thread == null || status.isEmpty()) {
            return new Prospect(null, agentForNew(holder, named, before.map(Bindings.Binding::agent)), true, true);
        }
        requireOpen(status.get(), inbound);
        boolean joins = named.isPresent() && !status.get().hasAgent();
        return new Prospect(thread, agent, status.get().hasAgent() || joins, joins);
    }

    private static void requireOpen(SourceThreads.ThreadStatus status, ParsedInbound inbound) {
        if (status.archived() && !inbound.verified()) {
            throw new ProblemException(Problem.THREAD_ARCHIVED, "The thread is archived; unarchive it before posting.");
        }
    }

    private Optional<Actor> named(InboundOwner holder, ParsedInbound inbound) {
        return addressee.named(holder.owner(), inbound).map(RegisteredAgent::actor);
    }

    private Target openBound(InboundOwner holder, ParsedInbound inbound, Optional<Actor> named) {
        Channel channel = inbound.keys().channel();
        Optional<Bindings.Binding> before = bindings.find(channel);
        Bindings.Binding binding =
                before.orElseGet(() -> bindings.claim(channel, agentForNew(holder, named, Optional.empty())));
        for (int i = 0; i < MAX_MOVES; i++) {
            ThreadId thread = binding.thread();
            Actor agent = named.orElse(binding.agent());
            Optional<SourceThreads.ThreadStatus> status =
                    threads.find(thread, inbound.sender().actor(), agent);
            if (status.isEmpty()) {
                threads.create(
                        thread,
                        holder.source(),
                        holder.owner(),
                        binding.agent(),
                        inbound.sender().toStranger());
                // A concurrent message may have created the thread, with other participants.
                status = threads.find(thread, inbound.sender().actor(), agent);
            }
            if (status.isPresent() && !status.get().deleted()) {
                return enter(thread, status.get(), holder, inbound, named, agent);
            }
            binding = bindings.move(channel, thread, agentForNew(holder, named, Optional.of(binding.agent())));
        }
        throw new ProblemException(Problem.OVERLOADED, "The thread was deleted several times meanwhile; try again.");
    }

    private Actor agentForNew(InboundOwner holder, Optional<Actor> named, Optional<Actor> before) {
        return named.orElseGet(() -> addressee.requireDefault(holder.owner(), before));
    }

    /** Checks the thread before participants join, so that a refusal changes nothing. */
    private Target enter(
            ThreadId thread,
            SourceThreads.ThreadStatus status,
            InboundOwner holder,
            ParsedInbound inbound,
            Optional<Actor> named,
            Actor agent) {
        requireOpen(status, inbound);
        threads.join(
                thread,
                status,
                holder.source(),
                holder.owner(),
                named.orElse(null),
                inbound.sender().toStranger());
        return new Target(thread, agent, status.hasAgent() || named.isPresent(), status.archived());
    }

    private SourceThreads.ThreadStatus require(
            ThreadId thread, InboundOwner holder, ParsedInbound inbound, Actor agent) {
        return threads.find(thread, inbound.sender().actor(), agent)
                .filter(status -> !status.deleted() && holder.source().equals(status.source()))
                .orElseThrow(() -> Refusal.noSuchThread().toException());
    }
}
