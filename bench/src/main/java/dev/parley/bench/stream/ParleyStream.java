package dev.parley.bench.stream;

import dev.parley.bench.rig.BareProcess;
import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.HttpBytes;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.AgentTokenView;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentToken;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The requests to Parley. An external agent drives its runs with numbered events, and each event is durable before a
 * viewer sees it.
 */
final class ParleyStream implements StreamRequests {
    private static final String START = "{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}";
    private static final String END = "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}";

    private final List<ThreadId> threads = new ArrayList<>();
    private final String asAgent;
    private final String asViewer;
    private int generation;

    ParleyStream(Cluster cluster, int runs) {
        try (Parley owner = cluster.user(0).connect(cluster.uri())) {
            Actor agent =
                    owner.owner().createAgent(NewAgent.external("Outside")).senderId();
            AgentTokenView token = owner.owner()
                    .createToken(new NewAgentToken(agent.value(), null, List.of("observe", "speak", "run"), null));
            NewThread wanted = new NewThread(null, "Measured", null, List.of(agent.value()), null, null, null, null);
            for (int i = 0; i < runs; i++) {
                threads.add(owner.createThread(wanted).threadId());
            }
            asAgent = HttpBytes.bearer(Objects.requireNonNull(token.rawToken()));
            asViewer = HttpBytes.bearer(cluster.user(0).token());
        }
    }

    @Override
    public byte[] open(int run) {
        return events(run, "{\"first\":0,\"events\":[" + START + "]}");
    }

    @Override
    public byte[] view(int run) {
        return HttpBytes.get(
                BareProcess.HOST, "/api/v1/agent/runs/" + threads.get(run) + "/events?runId=" + runId(run), asViewer);
    }

    /** The first event is the start of the text, so tokens are numbered from one. */
    @Override
    public byte[] post(int run, long first, List<String> tokens) {
        String events = tokens.stream()
                .map(token -> "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"" + token + "\"}")
                .collect(Collectors.joining(","));
        return events(run, "{\"epoch\":1,\"first\":" + (first + 1) + ",\"events\":[" + events + "]}");
    }

    @Override
    public byte[] end(int run, long first) {
        return events(run, "{\"epoch\":1,\"first\":" + (first + 1) + ",\"events\":[" + END + "]}");
    }

    private byte[] events(int run, String body) {
        String path = "/api/v1/agent/threads/" + threads.get(run) + "/runs/" + runId(run) + "/events";
        return HttpBytes.post(BareProcess.HOST, path, asAgent, body);
    }

    private String runId(int run) {
        return "run-" + generation + "-" + run;
    }

    @Override
    public void renew() {
        generation++;
    }
}
