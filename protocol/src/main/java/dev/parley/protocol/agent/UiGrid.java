package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Elements in columns. */
public record UiGrid(
        int columns,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer gap,
        List<UiNode> children) implements UiNode {
    public UiGrid {
        children = List.copyOf(children);
    }
}
