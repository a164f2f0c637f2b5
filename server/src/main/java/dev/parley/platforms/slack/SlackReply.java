package dev.parley.platforms.slack;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The outcome of a call to one of Slack's methods. */
sealed interface SlackReply {
    record Done(ObjectNode body) implements SlackReply {}

    /** Slack refused the call with an error code. */
    record Failed(String error) implements SlackReply {}

    /** A rate limit of Slack refused the call. */
    record Limited(@Nullable Duration after) implements SlackReply {}

    /**
     * No answer arrived, or the answer does not tell the outcome.
     *
     * @param maybeDone true if Slack may have carried out the call
     */
    record Lost(String reason, boolean maybeDone) implements SlackReply {}
}
