package dev.parley.app;

import dev.parley.assembly.Assembly;
import dev.parley.assembly.Fences;
import dev.parley.auth.AgentTokens;
import dev.parley.contexts.Contexts;
import dev.parley.limits.Limits;
import dev.parley.nodes.Nodes;
import dev.parley.nodes.WorkIntake;
import dev.parley.runs.AgentMessages;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.threads.Recall;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;

/** Runs, the agents that answer in them, and the context that agents receive. */
record RunServices(Runs runs, AgentMessages messages, Contexts contexts) {
    static RunServices open(
            Foundation base,
            LogServices logs,
            ThreadServices conversations,
            ObjectServices objects,
            AgentServices agents,
            Nodes nodes,
            WorkIntake intake,
            AgentTokens tokens) {
        Limits limits = base.limits();
        Contexts contexts = new Contexts(
                base.database(),
                new Assembly(new Fences(base.signingSecrets().getFirst())),
                limits.contexts().memory(),
                base.clock());
        // Kept, so that the closer stops the runs if the start fails. A server that has started stops its runs before
        // it
        // comes to the closer.
        Runs runs = base.keep(new Runs(
                new Runs.Dependencies(
                        base.database(),
                        logs.log(),
                        logs.reader(),
                        conversations.threads(),
                        conversations.access(),
                        conversations.participants(),
                        conversations.messages(),
                        agents.agents(),
                        objects.attachments(),
                        contexts,
                        new Recall(base.database(), conversations.messages()),
                        nodes,
                        intake,
                        tokens),
                agents.callers(),
                base.config().agents().defaultAgent(),
                new RunSettings(
                        limits.runs().executing(),
                        limits.runs().time(),
                        limits.runs().output(),
                        base.config().node().shutdownGrace(),
                        Duration.ofDays(limits.runs().eventDays())),
                limits,
                base.clock()));
        Gauge.builder("parley.runs.callers.over.share", runs, Runs::callersOverShare)
                .description("Callers with queued runs that wait for other runs of the same caller on this node")
                .register(base.metrics());
        AgentMessages messages = new AgentMessages(
                runs,
                conversations.messages(),
                conversations.access(),
                limits.requests().opaqueId());
        return new RunServices(runs, messages, contexts);
    }
}
