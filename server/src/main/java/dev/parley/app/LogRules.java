package dev.parley.app;

import dev.parley.agents.model.Prices;
import dev.parley.app.config.Config;
import dev.parley.attachments.AttachedRule;
import dev.parley.attachments.AttachedWriter;
import dev.parley.contexts.ReportedUsageWriter;
import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.DeliveryRule;
import dev.parley.delivery.DeliveryWriter;
import dev.parley.engagement.EngagementRule;
import dev.parley.erasure.ErasureStepWriter;
import dev.parley.ingest.InboundRule;
import dev.parley.ingest.InboundWriter;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogSettings;
import dev.parley.runs.RunEffectWriter;
import dev.parley.runs.RunRule;
import dev.parley.sessions.ChatEventRule;
import dev.parley.sessions.ChatEventWriter;
import dev.parley.sessions.StreamEffectWriter;
import dev.parley.storage.Database;
import dev.parley.threads.ArchiveRule;
import dev.parley.threads.LastManagerRule;
import dev.parley.threads.MembershipRule;
import dev.parley.threads.MentionRule;
import dev.parley.threads.ReactionRule;
import dev.parley.threads.ReadMarkWriter;
import dev.parley.threads.ReplyRule;
import dev.parley.threads.RoomRule;
import dev.parley.threads.ThreadEffectWriter;
import dev.parley.threads.ThreadFactsCache;
import dev.parley.threads.TitleRule;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;

/** The log with the rules and writers of all features: each says here what it contributes to a decision. */
final class LogRules {
    private LogRules() {}

    static Log open(
            Config config,
            Clock clock,
            Database database,
            List<ChatTransport> transports,
            Consumer<List<Event>> committed,
            MeterRegistry metrics) {
        Limits limits = config.limits();
        LogSettings settings = new LogSettings(
                config.node().lanes(),
                limits.lane().queue(),
                limits.lane().queueBytes(),
                limits.lane().batch(),
                limits.lane().batchBytes(),
                limits.lane().appendDeadline());
        ThreadFactsCache facts = new ThreadFactsCache();
        Prices prices = new Prices(config.agents().file().prices());
        return new Log(
                database,
                List.of(
                        new MembershipRule(facts),
                        new ArchiveRule(facts),
                        new LastManagerRule(facts),
                        new RoomRule(facts, limits.threads().participants()),
                        new MentionRule(facts),
                        new ReplyRule(),
                        new ReactionRule(limits.threads().reactions()),
                        new TitleRule(facts),
                        new RunRule(facts, limits.runs().queued()),
                        new AttachedRule(),
                        new EngagementRule(facts),
                        new InboundRule(),
                        new ChatEventRule(facts),
                        new DeliveryRule(transports, limits.delivery().parts())),
                List.of(
                        new ThreadEffectWriter(),
                        new ReadMarkWriter(),
                        new RunEffectWriter(limits.runs().claimTime()),
                        new AttachedWriter(),
                        new InboundWriter(),
                        new ChatEventWriter(),
                        new DeliveryWriter(),
                        new StreamEffectWriter(prices, clock),
                        new ReportedUsageWriter(prices, clock),
                        new ErasureStepWriter()),
                settings,
                clock,
                committed,
                metrics);
    }
}
