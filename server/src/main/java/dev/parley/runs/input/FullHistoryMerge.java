package dev.parley.runs.input;

import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A conversation as its client sends it, compared with the thread's log. The log takes precedence. Messages that the
 * log knows by id are not read again. Messages from agents and systems in the client's list are only given to the run's
 * agent. Messages that the client leaves out stay in the log.
 *
 * @param users the new messages of users, in order, each id once
 * @param results the new tool messages, in order, each id once
 * @param given the messages with other roles that the log does not know, and all prompts. The run stores the given
 * messages in their order, and they never enter the log. All new tool messages are given messages too, because only
 * some of the new tool messages answer a call.
 * @param lastUser the seq of the list's last user message, if the log knows this message
 * @param lastResult the call whose result ends the list. The result may be known to the log, new, or later than another
 * result for the call.
 */
public record FullHistoryMerge(
        List<Message.User> users,
        List<Message.Tool> results,
        List<Message> given,
        Optional<Long> lastUser,
        Optional<String> lastResult) {
    public FullHistoryMerge {
        users = List.copyOf(users);
        results = List.copyOf(results);
        given = List.copyOf(given);
    }

    /** @param known the seqs of messages in the log, by their ids */
    public static FullHistoryMerge of(RunAgentInput input, Map<String, Long> known) {
        List<Message.User> users = new ArrayList<>();
        List<Message.Tool> results = new ArrayList<>();
        List<Message> given = new ArrayList<>();
        Optional<Long> lastUser = Optional.empty();
        Optional<String> lastResult = Optional.empty();
        boolean answersKnown = false;
        Set<String> seen = new HashSet<>();
        for (Message message : input.messages()) {
            Long seq = known.get(message.id());
            boolean isNew = seen.add(message.id()) && seq == null;
            switch (message) {
                case Message.User user -> {
                    lastUser = Optional.ofNullable(seq);
                    lastResult = Optional.empty();
                    answersKnown = seq != null;
                    if (isNew) {
                        users.add(user);
                    }
                }
                case Message.Tool result -> {
                    lastResult = Optional.of(result.toolCallId());
                    if (isNew) {
                        results.add(result);
                        given.add(result);
                    }
                }
                case Message.SystemPrompt _, Message.Developer _ -> given.add(message);
                case Message.Assistant _ -> {
                    lastResult = Optional.empty();
                    if (isNew) {
                        given.add(message);
                    }
                }
                case Message.Reasoning _, Message.Activity _ -> {
                    // Entries never have the ids of such messages, so the ids do not tell if the log knows a message.
                    // After a question that the log knows, such messages repeat events of the question's run.
                    if (isNew && !answersKnown) {
                        given.add(message);
                    }
                }
            }
        }
        return new FullHistoryMerge(users, results, given, lastUser, lastResult);
    }

    /** The ids to look up in the log. */
    public static List<String> ids(RunAgentInput input) {
        return input.messages().stream()
                .filter(message -> message instanceof Message.User
                        || message instanceof Message.Tool
                        || message instanceof Message.Assistant)
                .map(Message::id)
                .toList();
    }
}
