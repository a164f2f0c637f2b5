package dev.parley.bench.stream;

import dev.parley.bench.rig.RunRig;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.AgentTokenView;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentToken;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Parley: an agent outside drives its runs by numbered events, each of them durable before anybody sees it. */
final class ParleyPeer implements Peer {
    private static final String START = "{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}";
    private static final String END = "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}";

    private final RunRig rig;
    private final Connection connection;
    private final List<ThreadId> threads = new ArrayList<>();
    private final String asAgent;
    private final String asViewer;
    private int generation;

    ParleyPeer(Path folder, int runs) throws SQLException {
        rig = new RunRig(folder, 1);
        boolean ready = false;
        try (Parley owner = Parley.connect(rig.uri(), new Token(rig.user(0).token()))) {
            connection = rig.connect();
            Actor agent =
                    owner.owner().createAgent(NewAgent.external("Outside")).senderId();
            AgentTokenView token = owner.owner()
                    .createToken(new NewAgentToken(agent.value(), null, List.of("observe", "speak", "run"), null));
            NewThread wanted = new NewThread(null, "Measured", null, List.of(agent.value()), null, null, null, null);
            for (int i = 0; i < runs; i++) {
                threads.add(owner.createThread(wanted).threadId());
            }
            asAgent = bearer(Objects.requireNonNull(token.rawToken()));
            asViewer = bearer(rig.user(0).token());
            ready = true;
        } finally {
            if (!ready) {
                rig.close();
            }
        }
    }

    private static String bearer(String token) {
        return "Authorization: Bearer " + token + "\r\n";
    }

    /** Another connection to its database, for the caller to close. */
    Connection connectAgain() throws SQLException {
        return rig.connect();
    }

    @Override
    public String name() {
        return "Parley";
    }

    @Override
    public InetSocketAddress address() {
        URI uri = rig.uri();
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    @Override
    public byte[] open(int run) {
        return events(run, "{\"first\":0,\"events\":[" + START + "]}");
    }

    @Override
    public byte[] view(int run) {
        return Requests.get("/api/v1/agent/runs/" + threads.get(run) + "/events?runId=" + name(run), asViewer);
    }

    /** The first number is the text's beginning, so tokens are numbered from one. */
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
        return Requests.post(
                "/api/v1/agent/threads/" + threads.get(run) + "/runs/" + name(run) + "/events", asAgent, body);
    }

    private String name(int run) {
        return "run-" + generation + "-" + run;
    }

    @Override
    public void renew() {
        generation++;
    }

    @Override
    public Duration serverCpu() {
        return used().server();
    }

    @Override
    public Duration databaseCpu() {
        return used().database();
    }

    private RunRig.Used used() {
        try {
            return rig.used(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try (rig) {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
