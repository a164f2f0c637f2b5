package dev.parley.runs;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.tools.ToolApproval;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Entry;
import dev.parley.log.EntryKey;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.Role;
import dev.parley.nodes.WorkIntake;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.ForwardedProps;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.execution.Begun;
import dev.parley.runs.execution.RunEnder;
import dev.parley.runs.execution.RunEngine;
import dev.parley.runs.input.NewMessages;
import dev.parley.runs.input.RunOptions;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadEffect;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.ThreadSnapshot;
import dev.parley.threads.Threads;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What starting a run takes on every face: who answers, in which thread, and the command that writes it down. */
final class RunStarter {
    /** How far back a message is looked for by the id that its client gave it. */
    private static final int SEARCHED = 1_000;

    private final RunStore store;
    private final Log log;
    private final LogReader reader;
    private final Threads threads;
    private final Messages messages;
    private final Agents agents;
    private final AgentTokens tokens;
    private final Actor defaultAgent;
    private final RunEnder ender;
    private final RunEngine engine;
    private final RunRights rights;
    private final WorkIntake intake;

    RunStarter(RunStore store, Runs.Dependencies parts, Actor defaultAgent, RunEnder ender, RunEngine engine) {
        this.store = store;
        this.log = parts.log();
        this.reader = parts.reader();
        this.threads = parts.threads();
        this.messages = parts.messages();
        this.agents = parts.agents();
        this.tokens = parts.tokens();
        this.defaultAgent = defaultAgent;
        this.intake = parts.intake();
        this.ender = ender;
        this.engine = engine;
        this.rights = new RunRights(parts.database());
    }

    static void requireScopes(Principal caller) {
        caller.requireScope(Capability.CAN_RUN);
        caller.requireScope(Capability.CAN_SEND);
    }

    /** The thread as the caller finds it; empty if there is none yet. One that the caller may not run in is refused. */
    Optional<ThreadRoster> known(Principal caller, ThreadId thread) {
        try {
            return Optional.of(threads.requireAllowed(caller, thread, Capability.CAN_RUN));
        } catch (ProblemException refused) {
            if (refused.problem() != Problem.THREAD_NOT_FOUND) {
                throw refused;
            }
            // Asked only now: nearly always there is one. If there is, it may have been made in between.
            return threads.isTaken(thread)
                    ? Optional.of(threads.requireAllowed(caller, thread, Capability.CAN_RUN))
                    : Optional.empty();
        }
    }

    /** The run that is wanted is a new one: not while the server stops. */
    void requireOpen() {
        intake.requireOpen();
    }

    /**
     * Everything about a run that is to be started, once it is found to be possible.
     *
     * @param again the message that is to be answered again, or whose place the new one takes
     */
    record Plan(
            RunAgentInput input,
            RunOptions options,
            @Nullable UUID parent,
            @Nullable RevisedMessage again,
            NewMessages said) {}

    /** Writes it down, and makes way for it; refuses a name that is taken with {@link Problem#KEY_REUSED}. */
    Run begin(Principal caller, ThreadId thread, Optional<ThreadRoster> known, RegisteredAgent agent, Plan plan) {
        requireMayDecide(caller, thread, agent, plan.input());
        ThreadRoster there = known.orElseGet(() -> made(caller, thread, agent));
        if (Intention.towardsActive(plan.options().strategy()) != null) {
            rights.requireMayDisplace(
                    caller, there, agent.actor(), plan.options().strategy(), store.unfinished(thread));
        }
        ThreadEffect joining =
                there.member(agent.actor()).isPresent() ? null : threads.joining(caller, thread, agent.actor());
        RunStart start = new RunStart(
                UuidV7.next(),
                thread,
                caller,
                agent.actor(),
                agent.kind() == RegisteredAgent.Kind.EXTERNAL ? Run.Driver.EXTERNAL : Run.Driver.NODE,
                plan.input(),
                plan.options(),
                joining,
                plan.parent(),
                plan.again(),
                plan.said());
        Optional<Run> begun = start.mayBegin() ? begunAtOnce(start, agent, there) : Optional.empty();
        if (begun.isPresent()) {
            return begun.get();
        }
        append(start, start.queued());
        Run run = require(start.task());
        makeWay(run);
        return run;
    }

    /** Starts a run that begins in the same transaction, here; empty if it has to wait for its turn. */
    private Optional<Run> begunAtOnce(RunStart start, RegisteredAgent agent, ThreadRoster roster) {
        Optional<RunState.Running> place =
                engine.offer(start.task(), start.thread(), start.caller().actor());
        if (place.isEmpty()) {
            return Optional.empty();
        }
        boolean begun = false;
        try {
            List<Entry> said = append(start, start.begun(place.get(), ender.firstOf(start))).entries().stream()
                    .map(CommandOutcome.Placed::entry)
                    .toList();
            Run run = require(start.task());
            // Somebody may have ended it before its agent was asked.
            if (run.state().equals(place.get())) {
                engine.begin(new Begun(run, place.get(), agent, start.input(), roster, said));
                begun = true;
            }
            return Optional.of(run);
        } catch (ProblemException refused) {
            // Something may be in its way: then it is judged as one that waits, and refused as such if it is.
            if (refused.problem() == Problem.RUN_ACTIVE || refused.problem() == Problem.FORBIDDEN) {
                return Optional.empty();
            }
            throw refused;
        } finally {
            if (!begun) {
                engine.withdraw(start.task());
            }
        }
    }

    private CommandOutcome.Done append(RunStart start, List<Change> changes) {
        return log.append(
                new Command(UuidV7.next(), start.thread(), start.caller().actor(), changes));
    }

    private Run require(UUID task) {
        return store.find(task).orElseThrow(() -> new IllegalStateException("Run " + task + " is gone"));
    }

    /** Somebody else may make it at the same moment, with another agent: what counts is how it is found then. */
    private ThreadRoster made(Principal caller, ThreadId thread, RegisteredAgent agent) {
        requireOwner(caller);
        threads.createFor(caller, thread, agent.actor());
        return threads.requireAllowed(caller, thread, Capability.CAN_RUN);
    }

    /** Only users make threads: to everybody else one that is not there is not there. */
    static void requireOwner(Principal caller) {
        if (!(caller instanceof Principal.User)) {
            throw new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread.");
        }
    }

    /** Ends what was marked for it when a run came that did not want to wait. */
    void makeWay(Run run) {
        if (Intention.towardsActive(run.strategy()) != null) {
            store.unfinished(run.thread()).stream()
                    .filter(other -> other.ending() != null && other.state() instanceof RunState.Running)
                    .forEach(other -> ender.end(other.taskId(), Intention.CANCEL));
        }
    }

    /**
     * Who answers: the one that was named, else whoever asked what is decided now, else the thread's agent, else the
     * server's. An external agent without a driver is refused.
     */
    RegisteredAgent agentFor(Principal caller, RunOptions options, Optional<ThreadRoster> known, RunAgentInput input) {
        RegisteredAgent agent = chosen(caller, options, known, input);
        if (agent.kind() == RegisteredAgent.Kind.EXTERNAL && !tokens.canDrive(agent.id())) {
            throw new ProblemException(
                    Problem.NO_DRIVER,
                    "The agent " + agent.displayName() + " has no live token with the scope run, so nothing can answer"
                            + " for it here; make one, or name another agent in "
                            + ForwardedProps.path(ForwardedProps.AGENT_ID) + ".");
        }
        return agent;
    }

    private RegisteredAgent chosen(
            Principal caller, RunOptions options, Optional<ThreadRoster> known, RunAgentInput input) {
        if (options.agentId() != null) {
            return agents.requireUsable(caller, ForwardedProps.path(ForwardedProps.AGENT_ID), options.agentId());
        }
        Optional<RegisteredAgent> asking = known.flatMap(there -> asking(there, input));
        if (asking.isPresent()) {
            return asking.get();
        }
        Optional<RegisteredAgent> own = known.stream()
                .flatMap(there -> there.members().stream())
                .map(ThreadSnapshot.Member::actor)
                .filter(actor -> actor.kind() == Actor.Kind.AGENT)
                .map(agents::find)
                .flatMap(Optional::stream)
                .filter(RegisteredAgent::active)
                .findFirst();
        return own.isPresent() ? own.get() : agents.requireUsable(caller, defaultAgent);
    }

    private Optional<RegisteredAgent> asking(ThreadRoster there, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return Optional.empty();
        }
        String first = input.resume().getFirst().interruptId();
        return store.openInterrupts(there.id()).stream()
                .filter(asked -> asked.question().id().equals(first))
                .findFirst()
                .flatMap(asked -> agents.find(asked.agent()))
                .filter(RegisteredAgent::active)
                .filter(agent -> there.member(agent.actor()).isPresent());
    }

    /** A user message by its id: of several that were given the same one, the latest. */
    Optional<RevisedMessage> question(ThreadId thread, String id) {
        return reader.lastQuestion(thread, id, SEARCHED)
                .or(() -> reader.findByKey(thread, EntryKey.id(id)).map(Entry::seq))
                .flatMap(seq -> questionAt(thread, seq));
    }

    Optional<RevisedMessage> questionAt(ThreadId thread, long seq) {
        return messages.at(thread, List.of(seq)).stream()
                .filter(message -> message.original().content().role() == Role.USER)
                .findFirst();
    }

    @Nullable
    RevisedMessage wishedQuestion(ThreadId thread, RunOptions options, boolean known) {
        String messageId = options.regenerateFrom();
        if (messageId == null) {
            return null;
        }
        return (known ? question(thread, messageId) : Optional.<RevisedMessage>empty())
                // What was deleted shall not be said again by somebody who still had it on the screen.
                .filter(message -> message.deletedAt() == null)
                .orElseThrow(() -> ProblemException.invalidField(
                        "forwardedProps.regenerateFrom", "names no user message of this thread"));
    }

    /** Anybody may have a question answered again; to put it differently is its author's. */
    static void requireOwnQuestion(Principal caller, RevisedMessage again) {
        if (!again.original().content().author().equals(caller.actor())) {
            throw new ProblemException(
                    Problem.FORBIDDEN,
                    "Only its author may change a question; send its text as it is to ask it again.");
        }
    }

    /** Which questions are open is judged with the append; a thread that is not there yet has none. */
    static void requireResumable(RunAgentInput input, boolean known) {
        Set<String> named = new HashSet<>();
        for (int i = 0; i < input.resume().size(); i++) {
            String field = "resume[" + i + "].interruptId";
            if (!known) {
                throw ProblemException.invalidField(field, "names no open interrupt of this thread");
            }
            if (!named.add(input.resume().get(i).interruptId())) {
                throw ProblemException.invalidField(field, "is decided about twice");
            }
        }
    }

    /**
     * Whether a tool may be called is for people to say, and is said to the agent that wants to call it: another one
     * would carry out what it never meant.
     */
    private void requireMayDecide(Principal caller, ThreadId thread, RegisteredAgent agent, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return;
        }
        Map<String, RunStore.OpenInterrupt> open = store.openInterrupts(thread).stream()
                .filter(asked -> ToolApproval.REASON.equals(asked.question().reason()))
                .collect(Collectors.toMap(asked -> asked.question().id(), asked -> asked, (first, second) -> second));
        for (int i = 0; i < input.resume().size(); i++) {
            RunStore.OpenInterrupt asked = open.get(input.resume().get(i).interruptId());
            if (asked != null && !(caller instanceof Principal.User)) {
                throw new ProblemException(Problem.FORBIDDEN, "Only a person may decide about the call of a tool.");
            }
            if (asked != null && !asked.agent().equals(agent.actor())) {
                throw ProblemException.invalidField(
                        "resume[" + i + "].interruptId", "was asked by another agent: " + asked.agent());
            }
        }
    }
}
