package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a finished run. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"type"})
public sealed interface Outcome {
    @JsonProperty
    String type();

    /**
     * @param pendingToolCallIds the ids of the calls that still wait for a result; empty if no call waits. If the list
     *     is absent, the client finds these calls itself.
     */
    record Success(@Nullable List<String> pendingToolCallIds) implements Outcome {
        public Success {
            pendingToolCallIds = pendingToolCallIds == null ? null : List.copyOf(pendingToolCallIds);
        }

        @Override
        public String type() {
            return "success";
        }
    }

    /** @param interrupts the questions to answer before the thread can continue; never empty */
    record Interrupted(List<Interrupt> interrupts) implements Outcome {
        public Interrupted {
            interrupts = List.copyOf(interrupts);
        }

        @Override
        public String type() {
            return "interrupt";
        }
    }

    record Cancelled() implements Outcome {
        @Override
        public String type() {
            return "cancelled";
        }
    }
}
