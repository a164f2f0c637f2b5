package dev.parley.assembly;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Message;
import dev.parley.threads.ReadMessage;
import dev.parley.threads.RevisedMessage;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The inputs of assembly.
 *
 * @param viewer the agent that is shown the conversation
 * @param messages the thread's messages up to the start of the run, including triggers, in any order
 * @param triggers the seqs of the messages to answer, which come last in the context
 * @param otherTriggers the seqs of the messages that other unfinished runs will answer, which are left out
 * @param names the names of the authors
 * @param recalled earlier messages found for a trigger, by the trigger's seq, the best ones first
 * @param givenMessages messages with other roles than user that the run's client supplied, in the client's order
 * @param given the client's context entries about the present situation
 * @param soFar the run's own messages up to now
 */
public record ContextInputs(
        ThreadId thread,
        Actor viewer,
        List<ReadMessage> messages,
        Set<Long> triggers,
        Set<Long> otherTriggers,
        Map<Actor, String> names,
        Map<Long, List<RevisedMessage>> recalled,
        List<Message> givenMessages,
        List<Given> given,
        List<ContextMessage> soFar) {
    public ContextInputs {
        messages = List.copyOf(messages);
        triggers = Set.copyOf(triggers);
        otherTriggers = Set.copyOf(otherTriggers);
        names = Map.copyOf(names);
        recalled = Map.copyOf(recalled);
        givenMessages = List.copyOf(givenMessages);
        given = List.copyOf(given);
        soFar = List.copyOf(soFar);
    }

    /** A context entry that a client gives its agent for this run. */
    public record Given(String description, String value) {}

    /** The same inputs, with these messages as the run's own messages up to now. */
    public ContextInputs saying(List<ContextMessage> more) {
        return new ContextInputs(
                thread, viewer, messages, triggers, otherTriggers, names, recalled, givenMessages, given, more);
    }
}
