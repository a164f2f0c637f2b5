package dev.parley.protocol.chat;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The nodes that share the database: those that are there first, and those that were within a day. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NodeList(List<NodeView> nodes) {
    public NodeList {
        nodes = List.copyOf(nodes);
    }
}
