package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.auth.Sources;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Log;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.runs.lifecycle.RunBirth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Handles repeated messages. Platforms report some messages twice, as a message and as a mention. The first report is
 * stored, and the report that addresses an agent causes the answer.
 */
final class RepeatedMessages {
    private final Log log;
    private final InboundEvents events;
    private final Conversations conversations;
    private final Agents agents;

    RepeatedMessages(Log log, InboundEvents events, Conversations conversations, Agents agents) {
        this.log = log;
        this.events = events;
        this.conversations = conversations;
        this.agents = agents;
    }

    /** The outcome of the stored first report, changed if the repetition causes the answer. */
    Ingest.Accepted outcome(InboundOwner holder, ParsedInbound inbound, InboundEvent.Stored stored) {
        if (!raises(inbound, stored)) {
            return Ingest.Accepted.before(stored);
        }
        try {
            return raise(holder, inbound, stored).orElseGet(() -> Ingest.Accepted.before(stored));
        } catch (ProblemException refused) {
            if (refused.problem().retryable()) {
                throw refused;
            }
            // A concurrent twin has caused the answer, or the thread is closed; a duplicate is accepted in any case.
            return Ingest.Accepted.before(events.find(inbound.keys()).orElse(stored));
        }
    }

    /** True if the repeated message causes an answer that the first report did not cause. */
    static boolean raises(ParsedInbound inbound, InboundEvent.Stored stored) {
        return stored.verdict().mayBeRaised()
                && stored.isTwinOf(inbound.keys())
                && inbound.addresses()
                && !inbound.passive()
                && !inbound.sender().bot()
                && !stored.bot()
                && inbound.sender().actor().equals(stored.sender());
    }

    private Optional<Ingest.Accepted> raise(InboundOwner holder, ParsedInbound inbound, InboundEvent.Stored stored) {
        Conversations.Target target = conversations.enter(stored.thread(), holder, inbound);
        boolean runs = target.hasAgent()
                && agents.find(target.agent())
                        .filter(RegisteredAgent::active)
                        .filter(agent -> agent.kind() != RegisteredAgent.Kind.EXTERNAL)
                        .isPresent();
        if (!runs) {
            return Optional.empty();
        }
        UUID task = UuidV7.next();
        Verdict verdict = new Verdict(true, "mentioned", "run_" + task);
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.Apply(new InboundEffect.Raised(stored.id(), verdict)));
        changes.addAll(RunBirth.byEarlierMessage(
                stored.thread(), stored.seq(), stored.sender(), target.agent(), task, "run_" + task));
        log.append(new Command(UuidV7.next(), stored.thread(), Sources.integration(holder.source()), changes));
        return Optional.of(new Ingest.Accepted(stored.thread(), stored.messageId(), stored.seq(), verdict, true));
    }
}
