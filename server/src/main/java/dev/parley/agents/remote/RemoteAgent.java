package dev.parley.agents.remote;

import dev.parley.agents.Agent;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.Turn;
import dev.parley.outbound.HeaderRules;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.SecretText;
import dev.parley.outbound.Secrets;
import dev.parley.outbound.StreamedAnswer;
import dev.parley.outbound.StreamedBody;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import java.io.IOException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers by asking a remote AG-UI server (<a href="https://docs.ag-ui.com/concepts/events">AG-UI: events</a>). The
 * remote agent's events are guarded, stored, replayed and shared like the events of any other run. Each kind of failure
 * ends the run with a code of its own.
 */
public final class RemoteAgent implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteAgent.class);

    private final Function<Actor, Optional<RegisteredAgent>> agents;
    private final Outbound outbound;
    private final Secrets secrets;
    private final Bounds bounds;
    private final HttpClient client = Outbound.newClient();

    /**
     * Limits of a remote agent.
     *
     * @param frame limit of one event, in bytes
     * @param silence longest time without bytes, for agents whose configuration sets none
     */
    public record Bounds(long frame, Duration silence) {}

    /** @param agents finds a registered agent by its actor */
    public RemoteAgent(
            Function<Actor, Optional<RegisteredAgent>> agents, Outbound outbound, Secrets secrets, Bounds bounds) {
        this.agents = agents;
        this.outbound = outbound;
        this.secrets = secrets;
        this.bounds = bounds;
    }

    @Override
    public void answer(Turn turn, Emitter emitter) throws InterruptedException {
        try {
            ask(turn, emitter);
        } catch (RemoteFailure failure) {
            LOG.warn(
                    "Run {} of agent {} failed with {}: {}",
                    turn.name(),
                    turn.agent(),
                    failure.code(),
                    failure.sentence());
            emitter.emit(new RunEvent.Failed(failure.sentence(), failure.code()));
        }
    }

    private void ask(Turn turn, Emitter emitter) throws RemoteFailure, InterruptedException {
        RemoteConfig config = config(turn.agent());
        Duration silence = Objects.requireNonNullElse(config.silence(), bounds.silence());
        RemoteRequest.Prepared prepared = RemoteRequest.of(turn);
        HttpRequest request = request(config, prepared.body());
        RemoteEvents events = new RemoteEvents(
                turn.thread().toString(),
                turn.name().runId(),
                prepared.messages(),
                turn.access().holds(),
                text -> hide(config, text));
        try (StreamedAnswer answer = send(request, silence)) {
            read(answer.body(), silence, events, emitter);
        }
    }

    private RemoteConfig config(Actor agent) throws RemoteFailure {
        RegisteredAgent registered =
                agents.apply(agent).orElseThrow(() -> RemoteFailure.misconfigured("it is no longer registered"));
        try {
            RemoteConfig config = RemoteConfig.read(registered.config());
            // The agent's own destination is allowed: only operators register agents of this kind.
            outbound.require(config.url(), Set.of(config.url().destination()));
            return config;
        } catch (ProblemException wrong) {
            LOG.warn("Remote agent {} has an invalid configuration; its run fails: {}", agent, wrong.detail());
            throw RemoteFailure.misconfigured("its configuration is not valid");
        } catch (OutboundRefused | UnknownHostException unreachable) {
            throw RemoteFailure.unreachable();
        }
    }

    private HttpRequest request(RemoteConfig config, RemoteRequestBody body) throws RemoteFailure {
        HttpRequest.Builder request = HttpRequest.newBuilder(config.url().uri())
                .POST(body.publisher())
                .setHeader("Content-Type", "application/json")
                .setHeader("Accept", "text/event-stream");
        for (Map.Entry<String, SecretText> header : config.headers().entrySet()) {
            String value = header.getValue()
                    .reveal(secrets)
                    .orElseThrow(() -> RemoteFailure.misconfigured("a secret of its headers does not exist"));
            if (!HeaderRules.isValue(value)) {
                throw RemoteFailure.misconfigured("a secret of its headers is not a valid header value");
            }
            request.setHeader(header.getKey(), value);
        }
        return request.build();
    }

    private StreamedAnswer send(HttpRequest request, Duration silence) throws RemoteFailure, InterruptedException {
        try {
            StreamedAnswer answer = StreamedAnswer.to(request, client, silence);
            if (answer.status() != 200) {
                // The body is dropped: it may hold details that no client may see.
                answer.close();
                throw RemoteFailure.status(answer.status());
            }
            return answer;
        } catch (TimeoutException silent) {
            throw RemoteFailure.silent(silence);
        } catch (IOException broken) {
            LOG.debug("Request to a remote agent failed", broken);
            throw RemoteFailure.unreachable();
        }
    }

    /** Reads until the run is over and no further, as some servers leave the connection open. */
    private void read(StreamedBody body, Duration silence, RemoteEvents events, Emitter emitter)
            throws RemoteFailure, InterruptedException {
        EventFrames frames = new EventFrames(bounds.frame());
        Optional<List<ByteBuffer>> bytes = next(body, silence);
        while (bytes.isPresent()) {
            for (ByteBuffer each : bytes.get()) {
                for (String data : frames.take(each)) {
                    if (pass(events.take(data), emitter)) {
                        return;
                    }
                }
            }
            bytes = next(body, silence);
        }
        Optional<String> rest = frames.rest();
        if (rest.isEmpty() || !isOver(rest.get(), events, emitter)) {
            throw RemoteFailure.truncated();
        }
    }

    private static Optional<List<ByteBuffer>> next(StreamedBody body, Duration silence)
            throws RemoteFailure, InterruptedException {
        try {
            return body.next(silence);
        } catch (TimeoutException silent) {
            throw RemoteFailure.silent(silence);
        }
    }

    /**
     * Passes on a last frame, and returns true if the frame ends the run. Half an event gives false, because half
     * an event is a sign of a truncated stream, not a protocol error.
     */
    private static boolean isOver(String rest, RemoteEvents events, Emitter emitter) throws InterruptedException {
        try {
            return pass(events.take(rest), emitter);
        } catch (RemoteFailure cut) {
            return false;
        }
    }

    private static boolean pass(List<AguiEvent> events, Emitter emitter) throws InterruptedException {
        for (AguiEvent event : events) {
            emitter.emit(event);
            if (event instanceof RunEvent) {
                return true;
            }
        }
        return false;
    }

    private String hide(RemoteConfig config, String text) {
        String hidden = text;
        for (SecretText header : config.headers().values()) {
            hidden = header.hide(hidden, secrets);
        }
        return hidden;
    }

    /** Ends the requests that are still under way. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
