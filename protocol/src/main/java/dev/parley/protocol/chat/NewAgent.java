package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/** The fields of an agent that its owner sets. In a change, absent fields leave their values as they are. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewAgent(
        @Nullable String displayName,
        @Nullable String kind,
        @Nullable ObjectNode config,
        @Nullable String visibility,
        @Nullable Boolean isActive) {
    /** An external agent, whose process calls with a token of its own. */
    public static NewAgent external(String displayName) {
        return new NewAgent(displayName, "external", null, null, null);
    }
}
