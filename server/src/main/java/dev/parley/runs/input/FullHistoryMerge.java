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
 * A conversation as its client tells it, beside what the thread's log knows of it. The log's text stands: what it knows
 * by id is not read again, what agents and systems are claimed to have said is only given to the run's agent, and what is
 * missing from the client's list is not missed.
 *
 * @param users messages of users that are new, in order, each id once
 * @param results tool messages that are new, in order, each id once
 * @param given messages of other roles that the log does not know, and all prompts: they go with the run in their order,
 *     never into the log; new tool messages are among them, since only some answer a call
 * @param lastUser the last user message of the list, if the log knows it: its seq
 * @param lastResult the call that the list ends with a result of: known, new, or one that came after another one's
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

    /** @param known where messages stand in the log, by their ids */
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
                    // No entry has their ids. After a question that the log knows they are what its run streamed.
                    if (isNew && !answersKnown) {
                        given.add(message);
                    }
                }
            }
        }
        return new FullHistoryMerge(users, results, given, lastUser, lastResult);
    }

    /** The ids by which the log is asked what it knows. */
    public static List<String> ids(RunAgentInput input) {
        return input.messages().stream()
                .filter(message -> message instanceof Message.User
                        || message instanceof Message.Tool
                        || message instanceof Message.Assistant)
                .map(Message::id)
                .toList();
    }
}
