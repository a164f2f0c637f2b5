package dev.parley.runs;

import dev.parley.attachments.StoredObject;
import dev.parley.protocol.agui.Message;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a run's client says that the thread does not hold yet: results of calls that were left to it first, then what its
 * user asked. The last question is the one that the run answers.
 *
 * @param objects all files that came along
 */
record NewMessages(List<Result> results, List<Question> questions, List<StoredObject> objects) {
    static final NewMessages NONE = new NewMessages(List.of(), List.of(), List.of());

    NewMessages {
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
    record Question(Message.User message, RunFiles files, boolean once) {}

    /** What came back for a call of an earlier run. */
    record Result(RunStore.LeftCall call, Message.Tool message, RunFiles files) {
        /** One per call: of several messages for it the first one counts. */
        static List<Result> of(List<RunStore.LeftCall> calls, List<Message.Tool> brought) {
            return calls.stream()
                    .flatMap(call -> brought.stream()
                            .filter(message -> message.toolCallId().equals(call.id()))
                            .limit(1)
                            .map(message -> new Result(call, message, RunFiles.NONE)))
                    .toList();
        }

        Result with(Message.Tool other, RunFiles files) {
            return new Result(call, other, files);
        }
    }
}
