package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elements one after the other.
 *
 * @param direction vertical or horizontal; absent means vertical
 * @param gap the gap between the children, in steps of the frontend's own scale
 * @param appearance the look of the stack, such as card
 */
public record UiStack(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String direction,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer gap,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String appearance,
        List<UiNode> children)
        implements UiNode {
    public UiStack {
        children = List.copyOf(children);
    }
}
