package dev.parley.log;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.protocol.Actor;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether one agent of the thread should answer a message. The decision is made when the message is
 * committed, and is stored with the message.
 *
 * @param reason the reason for or against, in one word such as {@code mentioned} or {@code hop_limit}
 * @param run the run that answers the message, for agents that the server runs
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
