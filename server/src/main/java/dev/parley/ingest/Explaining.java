package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.engagement.Preview;
import dev.parley.log.Engagement;
import dev.parley.storage.Database;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Tells what would become of a message, by the same rules that decide when it is brought. Reads only. */
final class Explaining {
    private final Preview preview;
    private final Conversations conversations;
    private final Agents agents;

    Explaining(Database database, Conversations conversations, Agents agents, Clock clock) {
        this.preview = new Preview(database, clock);
        this.conversations = conversations;
        this.agents = agents;
    }

    /** Of something that was brought before. */
    Explanation again(ParsedInbound inbound, InboundEvent.Stored stored) {
        boolean raises = InboundAppender.raises(inbound, stored);
        List<Explanation.Check> checks = checks(inbound);
        checks.add(new Explanation.Check(
                "duplicate",
                raises
                        ? "It was brought before, and nobody was to answer. It addresses an agent now, which answers it."
                        : "It was brought before, and nothing more would happen."));
        return new Explanation(
                false,
                true,
                stored.thread(),
                stored.messageId(),
                null,
                raises ? new Verdict(true, "mentioned", null) : stored.verdict(),
                checks);
    }

    /** Of something that is new. */
    Explanation fresh(InboundOwner holder, ParsedInbound inbound) {
        Conversations.Prospect prospect = conversations.preview(holder, inbound);
        List<Explanation.Check> checks = checks(inbound);
        checks.add(new Explanation.Check(
                "duplicate",
                inbound.keys().isEmpty()
                        ? "It has no id of its own, so it would be stored however often it comes."
                        : "Nothing with its ids was brought before."));
        checks.add(new Explanation.Check(
                "thread", prospect.thread() == null ? "A thread would be made for it." : "Its place has a thread."));
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
            // Whether the code is good is told to whoever says it, and to nobody who asks.
            return new Verdict(false, "identity_link", null);
        }
        List<Engagement> engagement = new ArrayList<>();
        if (prospect.thread() != null) {
            engagement.addAll(preview.of(
                    prospect.thread(),
                    InboundAppender.said(
                            inbound,
                            new Conversations.Target(prospect.thread(), prospect.agent(), prospect.hasAgent(), false),
                            null)));
        }
        if (prospect.joins()) {
            engagement.add(ofNewcomer(inbound, prospect));
        }
        Verdict verdict = Verdict.of(engagement, prospect.agent());
        // The name of a run that nobody starts.
        return new Verdict(verdict.run(), verdict.reason(), null);
    }

    /** An agent that has said nothing there yet: neither hops nor budgets count. */
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
                "sender", inbound.sender().bot() ? "It counts as a bot's." : "It counts as a person's."));
        checks.add(new Explanation.Check(
                "place",
                switch (inbound.keys().channel().place()) {
                    case CHANNEL -> "It was said in a channel.";
                    case DIRECT -> "It names no channel, so it is the sender's own conversation.";
                    case SESSION -> "It names a thread by its id.";
                }));
        if (!inbound.given().files().isEmpty()) {
            checks.add(new Explanation.Check("files", "They are looked at when they are stored, and not before."));
        }
        return checks;
    }
}
