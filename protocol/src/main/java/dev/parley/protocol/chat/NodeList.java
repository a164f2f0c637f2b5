package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The nodes that share the database: first the live nodes, then the nodes that were alive within a day. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NodeList(List<NodeView> nodes) {
    public NodeList {
        nodes = List.copyOf(nodes);
    }
}
