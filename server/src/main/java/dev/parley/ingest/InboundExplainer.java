package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.engagement.Preview;
import dev.parley.log.Engagement;
import dev.parley.storage.Database;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Explains the outcome that a message would have, by the rules that decide about submitted messages. Reads only. */
final class InboundExplainer {
    private final Preview preview;
    private final Conversations conversations;
    private final Agents agents;

    InboundExplainer(Database database, Conversations conversations, Agents agents, Clock clock) {
        this.preview = new Preview(database, clock);
        this.conversations = conversations;
        this.agents = agents;
    }

    /** The explanation of a message that was submitted before. */
    Explanation ofRepeated(ParsedInbound inbound, InboundEvent.Stored stored) {
        boolean raises = RepeatedMessages.raises(inbound, stored);
        List<Explanation.Check> checks = checks(inbound);
        checks.add(new Explanation.Check(
                "duplicate",
                raises
                        ? "The message was submitted before and not answered; now it addresses an agent, which answers."
                        : "The message was submitted before; nothing more would happen."));
        return new Explanation(
                false,
                true,
                stored.thread(),
                stored.messageId(),
                null,
                raises ? new Verdict(true, "mentioned", null) : stored.verdict(),
                checks);
    }

    /** The explanation of a new message. */
    Explanation ofNew(InboundOwner holder, ParsedInbound inbound) {
        Conversations.Prospect prospect = conversations.preview(holder, inbound);
        List<Explanation.Check> checks = checks(inbound);
        checks.add(new Explanation.Check(
                "duplicate",
                inbound.keys().isEmpty()
                        ? "The message has no id, so each repetition would be stored."
                        : "No message with its ids was submitted before."));
        checks.add(new Explanation.Check(
                "thread",
                prospect.thread() == null ? "A thread would be made for the message." : "The channel has a thread."));
        checks.add(new Explanation.Check(
                "agent",
                prospect.joins()
                        ? "The agent would join the thread."
                        : prospect.hasAgent() ? "The agent is in the thread." : "The agent is not in the thread."));
        return new Explanation(
                true, false, prospect.thread(), null, prospect.agent(), verdict(inbound, prospect), checks);
    }

    private Verdict verdict(ParsedInbound inbound, Conversations.Prospect prospect) {
        if (inbound.linkCode().isPresent()) {
            // An explanation does not reveal whether the code is valid.
            return new Verdict(false, "identity_link", null);
        }
        List<Engagement> engagement = new ArrayList<>();
        if (prospect.thread() != null) {
            engagement.addAll(preview.of(
                    prospect.thread(),
                    InboundAppender.content(
                            inbound,
                            new Conversations.Target(prospect.thread(), prospect.agent(), prospect.hasAgent(), false),
                            null)));
        }
        if (prospect.joins()) {
            engagement.add(ofNewcomer(inbound, prospect));
        }
        Verdict verdict = Verdict.of(engagement, prospect.agent());
        // The run's name is left out, because no run is started.
        return new Verdict(verdict.run(), verdict.reason(), null);
    }

    /**
     * The engagement of an agent that would join the thread. Hops and budgets do not count, because the agent has no
     * messages in the thread.
     */
    private Engagement ofNewcomer(ParsedInbound inbound, Conversations.Prospect prospect) {
        boolean active =
                agents.find(prospect.agent()).filter(RegisteredAgent::active).isPresent();
        if (!active) {
            return new Engagement(prospect.agent(), false, "inactive");
        }
        if (inbound.passive()) {
            return new Engagement(prospect.agent(), false, "passive");
        }
        if (inbound.addresses()) {
            return new Engagement(prospect.agent(), true, "mentioned");
        }
        return inbound.sender().bot()
                ? new Engagement(prospect.agent(), false, "agent_not_mentioned")
                : new Engagement(prospect.agent(), true, "open");
    }

    private static List<Explanation.Check> checks(ParsedInbound inbound) {
        List<Explanation.Check> checks = new ArrayList<>();
        checks.add(new Explanation.Check(
                "sender", inbound.sender().bot() ? "The sender counts as a bot." : "The sender counts as a person."));
        checks.add(new Explanation.Check(
                "place",
                switch (inbound.keys().channel().scope()) {
                    case CHANNEL -> "The message names a channel.";
                    case DIRECT -> "The message names no channel, so it belongs to the sender's own conversation.";
                    case SESSION -> "The message names a thread by its id.";
                }));
        if (!inbound.given().files().isEmpty()) {
            checks.add(new Explanation.Check("files", "The files are checked only when they are stored."));
        }
        return checks;
    }
}
