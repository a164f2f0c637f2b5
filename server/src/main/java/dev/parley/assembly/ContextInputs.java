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
 * Everything that assembly looks at.
 *
 * @param viewer the agent that is shown the conversation
 * @param messages the thread's messages up to the start of the run, the triggers among them, in any order
 * @param triggers the seqs of the messages that are to be answered: they come last
 * @param otherTriggers those that other unfinished runs will answer: they are left out
 * @param names of those who speak
 * @param recalled earlier messages that were found again for a trigger, by the trigger's seq, the best ones first
 * @param givenMessages messages of other roles than user that the run's client supplied, in its order
 * @param given what the run's client told it about the present situation
 * @param soFar what the run itself has said and done up to now
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

    /** Something that a client wants its agent to know in this run. */
    public record Given(String description, String value) {}

    /** The same after the run has said more. */
    public ContextInputs saying(List<ContextMessage> more) {
        return new ContextInputs(
                thread, viewer, messages, triggers, otherTriggers, names, recalled, givenMessages, given, more);
    }
}
