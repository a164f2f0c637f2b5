package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a finished subagent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"type"})
public sealed interface SubagentOutcome {
    @JsonProperty
    String type();

    record Success() implements SubagentOutcome {
        @Override
        public String type() {
            return "success";
        }
    }

    /** @param interruptIds the ids of the interrupts that the subagent waits for */
    record Suspended(@Nullable List<String> interruptIds) implements SubagentOutcome {
        public Suspended {
            interruptIds = interruptIds == null ? null : List.copyOf(interruptIds);
        }

        @Override
        public String type() {
            return "suspended";
        }
    }
}
