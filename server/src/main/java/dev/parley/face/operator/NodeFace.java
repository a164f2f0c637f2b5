package dev.parley.face.operator;

import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.nodes.ListedNode;
import dev.parley.nodes.Nodes;
import dev.parley.protocol.chat.NodeList;
import dev.parley.protocol.chat.NodeView;
import java.time.Duration;
import java.util.Locale;

/** The route of the nodes that share the database, for operators. */
public final class NodeFace {
    private final Nodes nodes;

    public NodeFace(Nodes nodes) {
        this.nodes = nodes;
    }

    public void addTo(Routes<Principal> routes) {
        routes.get("/api/v1/operator/nodes", Unrated.FREE, this::list);
    }

    private Answer list(Call<Principal> call) {
        OperatorFace.operator(call);
        return Answer.ok(new NodeList(nodes.list().stream().map(NodeFace::view).toList()));
    }

    private static NodeView view(ListedNode node) {
        return new NodeView(
                node.id(),
                node.name(),
                node.address(),
                node.version(),
                node.state().name().toLowerCase(Locale.ROOT),
                node.isMe(),
                node.startedAt(),
                node.heartbeatAge().toMillis(),
                node.runsExecuting(),
                node.openStreams(),
                node.laneQueue(),
                node.busLag().map(Duration::toMillis).orElse(null),
                node.differences());
    }
}
