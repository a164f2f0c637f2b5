package dev.parley.bench.rig;

import dev.parley.protocol.ThreadId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A user who asks the server's own agent and follows each answer to its end. */
public final class RunClient implements AutoCloseable {
    private final ApiCaller caller;

    public RunClient(URI server, Accounts.User user) {
        this.caller = new ApiCaller(server, user, Duration.ofSeconds(60));
    }

    /** One turn of the default agent: a question, and its whole answer as it was streamed. */
    public void turn(ThreadId thread, String question) {
        turn(thread, null, question);
    }

    /** @param agent the id of the agent that answers; null for the default one */
    public void turn(ThreadId thread, @Nullable String agent, String question) {
        String run = UUID.randomUUID().toString();
        caller.prepare(
                "/api/v1/agent/runs",
                Map.of(
                        "threadId",
                        thread.toString(),
                        "runId",
                        run,
                        "messages",
                        List.of(Map.of("id", "q-" + run, "role", "user", "content", question)),
                        "forwardedProps",
                        agent == null ? Map.of() : Map.of("agentId", agent)));
        // The stream of a single run ends when the run ends.
        String events = caller.read("/api/v1/agent/runs/" + thread + "/events?runId=" + run);
        if (!events.contains("RUN_FINISHED")) {
            throw new IllegalStateException("A run did not finish: " + events);
        }
    }

    @Override
    public void close() {
        caller.close();
    }
}
