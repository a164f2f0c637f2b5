package dev.parley.app;

import dev.parley.agents.model.Prices;
import dev.parley.app.config.Config;
import dev.parley.attachments.AttachedRule;
import dev.parley.attachments.AttachedWriter;
import dev.parley.contexts.ReportedUsageWriter;
import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.DeliveryFollower;
import dev.parley.delivery.DeliveryWriter;
import dev.parley.engagement.EngagementFollower;
import dev.parley.erasure.ErasureStepWriter;
import dev.parley.ingest.InboundRule;
import dev.parley.ingest.InboundWriter;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.Follower;
import dev.parley.log.Log;
import dev.parley.log.LogFeatures;
import dev.parley.log.LogSettings;
import dev.parley.runs.lifecycle.DeletedThreadRunsWriter;
import dev.parley.runs.lifecycle.RunEffectWriter;
import dev.parley.runs.lifecycle.RunMemory;
import dev.parley.runs.lifecycle.RunRule;
import dev.parley.sessions.ChatEventRule;
import dev.parley.sessions.ChatEventWriter;
import dev.parley.sessions.StreamEffectWriter;
import dev.parley.storage.Database;
import dev.parley.threads.ReactionRule;
import dev.parley.threads.ReadMark;
import dev.parley.threads.ReadMarkWriter;
import dev.parley.threads.ReplyRule;
import dev.parley.threads.ThreadEffectWriter;
import dev.parley.threads.ThreadFactsCache;
import dev.parley.threads.ThreadRule;
import dev.parley.threads.TitleFollower;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;

/**
 * The log with the rules, followers and writers of all features. Each feature's contribution to a decision is
 * registered here.
 */
final class LogRules {
    private LogRules() {}

    static Log open(
            Config config,
            Clock clock,
            Database database,
            List<ChatTransport> transports,
            ThreadFactsCache facts,
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
        RunMemory runs = new RunMemory();
        Prices prices = new Prices(config.agents().file().prices());
        return new Log(
                database,
                new LogFeatures(
                        List.of(
                                new ThreadRule(facts, limits.threads().participants()),
                                new ReplyRule(),
                                new ReactionRule(limits.threads().reactions()),
                                new RunRule(facts, runs, limits.runs().queued()),
                                new AttachedRule(),
                                new InboundRule(),
                                new ChatEventRule(facts)),
                        List.of(
                                Follower.of(ReadMark::follow),
                                new TitleFollower(facts),
                                new EngagementFollower(facts, runs),
                                Follower.of(InboundRule::follow),
                                Follower.of(ChatEventRule::follow),
                                new DeliveryFollower(
                                        facts, transports, limits.delivery().parts())),
                        List.of(
                                new ThreadEffectWriter(),
                                new ReadMarkWriter(),
                                new DeletedThreadRunsWriter(),
                                new RunEffectWriter(limits.runs().claimTime()),
                                new AttachedWriter(),
                                new InboundWriter(),
                                new ChatEventWriter(),
                                new DeliveryWriter(),
                                new StreamEffectWriter(prices, clock),
                                new ReportedUsageWriter(prices, clock),
                                new ErasureStepWriter())),
                settings,
                clock,
                committed,
                metrics);
    }
}
