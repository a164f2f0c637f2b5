package dev.parley.runs.input;

import dev.parley.attachments.StoredObject;
import dev.parley.protocol.agui.Message;
import dev.parley.runs.lifecycle.RunStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The messages from a run's client that the thread does not contain yet: first the results of calls that runs left to
 * the client, then the user's questions. The run answers the last question.
 *
 * @param objects all files of the messages
 */
public record NewMessages(List<Result> results, List<Question> questions, List<StoredObject> objects) {
    static final NewMessages NONE = new NewMessages(List.of(), List.of(), List.of());

    public NewMessages {
        results = List.copyOf(results);
        questions = List.copyOf(questions);
        objects = List.copyOf(objects);
    }

    /** The new messages with all their files. */
    static NewMessages of(List<Result> results, List<Question> questions) {
        return new NewMessages(
                results,
                questions,
                Stream.concat(
                                results.stream().map(Result::files),
                                questions.stream().map(Question::files))
                        .flatMap(files -> files.all().stream())
                        .toList());
    }

    /**
     * A user's message.
     *
     * @param hasUniqueId true if the message's id is unique in the thread; on some faces the id is unique only within
     * its run
     */
    public record Question(Message.User message, RunFiles files, boolean hasUniqueId) {}

    /** The result of a call from an earlier run. */
    public record Result(RunStore.LeftCall call, Message.Tool message, RunFiles files) {
        /**
         * The results in the order of the messages, one per call. If a call has several results, the first result
         * counts.
         */
        public static List<Result> of(List<RunStore.LeftCall> calls, List<Message.Tool> brought) {
            Map<String, RunStore.LeftCall> open = new HashMap<>();
            calls.forEach(call -> open.put(call.id(), call));
            List<Result> results = new ArrayList<>();
            for (Message.Tool message : brought) {
                RunStore.LeftCall call = open.remove(message.toolCallId());
                if (call != null) {
                    results.add(new Result(call, message, RunFiles.NONE));
                }
            }
            return results;
        }

        Result with(Message.Tool other, RunFiles files) {
            return new Result(call, other, files);
        }
    }
}
