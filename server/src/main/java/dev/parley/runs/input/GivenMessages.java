package dev.parley.runs.input;

import dev.parley.log.Role;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.threads.ReadMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Picks the messages of a run's stored input that the run's agent sees as the client's own material. These are all
 * messages except the users' messages and the results of pending calls, which are entries of the thread.
 */
public final class GivenMessages {
    private GivenMessages() {}

    /**
     * @param results the tool messages that became entries
     * @param seen the messages of the thread that the run sees
     */
    public static List<Message> in(RunAgentInput input, List<Message.Tool> results, List<ReadMessage> seen) {
        List<Message> given = input.messages().stream()
                .filter(message -> !(message instanceof Message.User))
                .filter(message -> !(message instanceof Message.Tool tool && results.contains(tool)))
                .toList();
        if (given.stream().noneMatch(GivenMessages::mayBeEntry)) {
            return given;
        }
        // An answer that was still being streamed when its client resent it is an entry by now.
        Set<String> entries = new HashSet<>();
        seen.stream()
                .map(read -> read.message().original().content())
                .filter(content -> content.role() != Role.USER)
                .forEach(content -> entries.add(content.id()));
        return given.stream()
                .filter(message -> !mayBeEntry(message) || !entries.contains(message.id()))
                .toList();
    }

    /** True if an input may contain given messages. This check is cheap. */
    public static boolean mayBeIn(RunAgentInput input) {
        return !input.messages().stream().allMatch(Message.User.class::isInstance);
    }

    private static boolean mayBeEntry(Message message) {
        return message instanceof Message.Assistant || message instanceof Message.Tool;
    }
}
