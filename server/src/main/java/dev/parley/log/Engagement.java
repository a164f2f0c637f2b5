package dev.parley.log;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.protocol.Actor;
import org.jspecify.annotations.Nullable;

/**
 * Whether one agent of the thread should answer a message, decided when the message was committed and kept with it.
 *
 * @param reason why, or why not, in one word such as {@code mentioned} or {@code hop_limit}
 * @param run the run that answers it, for agents that we run
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Engagement(
        Actor agent,
        boolean respond,
        String reason,
        @Nullable String run) {
    public Engagement(Actor agent, boolean respond, String reason) {
        this(agent, respond, reason, null);
    }

    public Engagement by(String runId) {
        return new Engagement(agent, respond, reason, runId);
    }
}
