package dev.parley.assembly;

import dev.parley.attachments.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message of a context, and its origin. The rendered text is never parsed again. */
public sealed interface ContextMessage {
    Origin origin();

    /** Text of the server: instructions, or quotations between fences. */
    record SystemBlock(String text, Origin origin) implements ContextMessage {}

    /** A message to the agent, from a person or from another agent. */
    record User(List<Part> parts, Origin origin) implements ContextMessage {
        public User {
            parts = List.copyOf(parts);
        }
    }

    /** A message of the agent itself. */
    record Assistant(String text, List<Call> calls, Origin origin) implements ContextMessage {
        public Assistant {
            calls = List.copyOf(calls);
        }
    }

    /** The result of a call; it directly follows the message that made the call. */
    record ToolResult(String callId, String tool, String text, boolean failed, Origin origin)
            implements ContextMessage {}

    /** A part of a user's message. */
    sealed interface Part {
        record Text(String text) implements Part {}

        /** An image by its key; the caller of the model reads its bytes. */
        record Picture(
                ObjectKey object, String mimeType, @Nullable String filename) implements Part {}
    }

    /**
     * A call of a tool.
     *
     * @param arguments always one JSON object
     */
    record Call(String id, String tool, String arguments) {}

    /**
     * The origin of a message.
     *
     * @param seqs the entries that the message shows; empty for text of the server and for the run's newest messages
     * @param id the id of the shown message of the thread; null unless exactly one is shown
     */
    record Origin(
            List<Long> seqs,
            List<Transform> transforms,
            @Nullable String id) {
        public static final Origin NONE = new Origin(List.of(), List.of(), null);

        public Origin {
            seqs = List.copyOf(seqs);
            transforms = transforms.stream().distinct().toList();
        }
    }
}
