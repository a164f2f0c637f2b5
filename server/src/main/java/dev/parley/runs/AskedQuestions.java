package dev.parley.runs;

import dev.parley.auth.Principal;
import dev.parley.log.Entry;
import dev.parley.log.EntryKey;
import dev.parley.log.LogReader;
import dev.parley.log.Role;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.input.RunOptions;
import dev.parley.threads.Messages;
import dev.parley.threads.RevisedMessage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the user messages that runs answer anew. */
final class AskedQuestions {
    /** The number of latest messages that are searched for a client's message id. */
    private static final int MAX_SEARCHED = 1_000;

    private final LogReader reader;
    private final Messages messages;

    AskedQuestions(LogReader reader, Messages messages) {
        this.reader = reader;
        this.messages = messages;
    }

    /** A user message by its id; the latest message if several have this id. */
    private Optional<RevisedMessage> byId(ThreadId thread, String id) {
        return reader.lastQuestion(thread, id, MAX_SEARCHED)
                .or(() -> reader.findByKey(thread, EntryKey.id(id)).map(Entry::seq))
                .flatMap(seq -> at(thread, seq));
    }

    Optional<RevisedMessage> at(ThreadId thread, long seq) {
        return messages.at(thread, List.of(seq)).stream()
                .filter(message -> message.original().content().role() == Role.USER)
                .findFirst();
    }

    /** The question that the options ask to answer anew; null if they ask for none. */
    @Nullable
    RevisedMessage requested(ThreadId thread, RunOptions options, boolean known) {
        String messageId = options.regenerateFrom();
        if (messageId == null) {
            return null;
        }
        return (known ? byId(thread, messageId) : Optional.<RevisedMessage>empty())
                // A deleted message is not asked again by a client that still shows it.
                .filter(message -> message.deletedAt() == null)
                .orElseThrow(() -> ProblemException.invalidField(
                        "forwardedProps.regenerateFrom", "names no user message of this thread"));
    }

    /**
     * Passes if the caller wrote the question. All members may have a question answered anew, but only the author may
     * change the text.
     */
    static void requireOwn(Principal caller, RevisedMessage repeatedQuestion) {
        if (!repeatedQuestion.original().content().author().equals(caller.actor())) {
            throw new ProblemException(
                    Problem.FORBIDDEN,
                    "Only its author may change a question; send its text unchanged to have it answered anew.");
        }
    }
}
