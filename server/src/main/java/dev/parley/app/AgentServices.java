package dev.parley.app;

import dev.parley.agents.Agent;
import dev.parley.agents.Agents;
import dev.parley.agents.FileAgents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.demo.DemoAgent;
import dev.parley.agents.model.ModelAgent;
import dev.parley.agents.model.Spending;
import dev.parley.agents.remote.RemoteAgent;
import dev.parley.agents.tools.ToolServers;
import dev.parley.app.config.AgentsFile;
import dev.parley.app.config.ConfigException;
import dev.parley.limits.Limits;
import java.util.Map;

/**
 * The registered agents.
 *
 * @param callers the implementation of each kind of agent that a node itself drives
 */
record AgentServices(Agents agents, Map<RegisteredAgent.Kind, Agent> callers) {
    static AgentServices open(Foundation base, Outgoing outgoing) {
        AgentsFile file = base.config().agents().file();
        Limits.Agents limits = base.limits().agents();
        Agents agents = new Agents(base.database(), base.clock());
        registerFileAgents(base, file);
        RemoteAgent remote = base.keep(new RemoteAgent(
                agents::find,
                outgoing.outbound(),
                outgoing.secrets(),
                new RemoteAgent.Bounds(limits.frameBytes(), limits.remoteSilence())));
        ToolServers tools =
                base.keep(new ToolServers(file.toolServers(), outgoing.outbound(), outgoing.secrets(), base.clock()));
        ModelAgent models = base.keep(new ModelAgent(
                agents::find,
                outgoing.secrets(),
                tools,
                new Spending(file.prices(), file.perUser(), base.clock()),
                new ModelAgent.Bounds(limits.frameBytes(), limits.modelSilence())));
        return new AgentServices(
                agents,
                Map.of(
                        RegisteredAgent.Kind.DEMO,
                        new DemoAgent(),
                        RegisteredAgent.Kind.AGUI,
                        remote,
                        RegisteredAgent.Kind.MODEL,
                        models));
    }

    private static void registerFileAgents(Foundation base, AgentsFile file) {
        if (!file.given()) {
            // Without a file the stored agents stay, because another node may have an agents file.
            return;
        }
        try {
            FileAgents.agree(base.database(), base.clock(), file.agents());
        } catch (IllegalArgumentException conflict) {
            throw new ConfigException("agents." + conflict.getMessage()
                    + ".id is the id of an agent that was registered otherwise; give it another one.");
        }
    }
}
