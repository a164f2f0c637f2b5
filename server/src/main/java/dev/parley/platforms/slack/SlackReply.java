package dev.parley.platforms.slack;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What is known after one of Slack's methods was called. */
sealed interface SlackReply {
    record Done(ObjectNode body) implements SlackReply {}

    /** Slack did not do it, and says why in a word. */
    record Failed(String error) implements SlackReply {}

    /** Slack did not do it since it is called too often. */
    record Limited(@Nullable Duration after) implements SlackReply {}

    /**
     * There is no answer, or none that says anything.
     *
     * @param maybeDone whether Slack may have done it nevertheless
     */
    record Lost(String why, boolean maybeDone) implements SlackReply {}
}
