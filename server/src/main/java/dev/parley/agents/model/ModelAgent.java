package dev.parley.agents.model;

import dev.parley.agents.Agent;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.Turn;
import dev.parley.agents.tools.ToolServers;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.RunEvent;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers by asking a provider's model, as often as the model's tool calls require. The model's text is streamed. The
 * server carries out calls of its own tools, and leaves calls of the app's tools to the caller's app. Each kind of
 * failure ends the run with a code of its own.
 */
public final class ModelAgent implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelAgent.class);

    private final Function<Actor, Optional<RegisteredAgent>> agents;
    private final Secrets secrets;
    private final ToolServers tools;
    private final Spending spending;
    private final Bounds bounds;
    private final HttpClient client = Outbound.newClient();

    /**
     * Limits of a provider.
     *
     * @param frame limit of one frame of an answer, in bytes
     * @param silence longest time without bytes, for agents whose configuration sets none
     */
    public record Bounds(long frame, Duration silence) {}

    /** @param agents finds a registered agent by its actor */
    public ModelAgent(
            Function<Actor, Optional<RegisteredAgent>> agents,
            Secrets secrets,
            ToolServers tools,
            Spending spending,
            Bounds bounds) {
        this.agents = agents;
        this.secrets = secrets;
        this.tools = tools;
        this.spending = spending;
        this.bounds = bounds;
    }

    @Override
    public void answer(Turn turn, Emitter emitter) throws InterruptedException {
        try {
            ModelConfig config = config(turn.agent());
            ModelClient model = ModelClient.of(client, config, secrets, bounds, spending);
            new ModelRun(turn, emitter, config, model, tools, spending).answer();
        } catch (ModelFailure failure) {
            LOG.warn(
                    "Run {} of agent {} failed with {} ({}): {}",
                    turn.name(),
                    turn.agent(),
                    failure.code(),
                    failure.status(),
                    failure.sentence());
            emitter.emit(new RunEvent.Failed(failure.sentence(), failure.code()));
        }
    }

    @Override
    public boolean asksModels() {
        return true;
    }

    private ModelConfig config(Actor agent) throws ModelFailure, InterruptedException {
        RegisteredAgent registered = UninterruptibleCall.call(() -> agents.apply(agent))
                .orElseThrow(() -> ModelFailure.misconfigured("it is no longer registered"));
        try {
            return ModelConfig.read(registered.config());
        } catch (ProblemException wrong) {
            LOG.warn("Model agent {} has an invalid configuration; its run fails: {}", agent, wrong.detail());
            throw ModelFailure.misconfigured("its configuration is not valid");
        }
    }

    /** Ends the requests that are still under way. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
