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
 * What a run's client says that the thread does not hold yet: results of calls that were left to it first, then what its
 * user asked. The last question is the one that the run answers.
 *
 * @param objects all files that came along
 */
public record NewMessages(List<Result> results, List<Question> questions, List<StoredObject> objects) {
    static final NewMessages NONE = new NewMessages(List.of(), List.of(), List.of());

    public NewMessages {
        results = List.copyOf(results);
        questions = List.copyOf(questions);
        objects = List.copyOf(objects);
    }

    /** With the files that belong to the messages. */
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
     * @param once whether its id tells it from all others of its thread; on some faces it only does so within its run
     */
    public record Question(Message.User message, RunFiles files, boolean once) {}

    /** What came back for a call of an earlier run. */
    public record Result(RunStore.LeftCall call, Message.Tool message, RunFiles files) {
        /** In the order of the messages, one per call: of several for it the first one counts. */
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
