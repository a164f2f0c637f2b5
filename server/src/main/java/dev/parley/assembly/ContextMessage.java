package dev.parley.assembly;

import dev.parley.attachments.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message as a model is shown it, and where it comes from. What is rendered here is never read back. */
public sealed interface ContextMessage {
    Origin origin();

    /** Words of the server's own: instructions, or what others wrote between fences. */
    record SystemBlock(String text, Origin origin) implements ContextMessage {}

    /** What somebody said to the agent, other agents among them. */
    record User(List<Part> parts, Origin origin) implements ContextMessage {
        public User {
            parts = List.copyOf(parts);
        }
    }

    /** What the agent said itself. */
    record Assistant(String text, List<Call> calls, Origin origin) implements ContextMessage {
        public Assistant {
            calls = List.copyOf(calls);
        }
    }

    /** What one of its calls returned; it stands right behind the message that made the call. */
    record ToolResult(String callId, String tool, String text, boolean failed, Origin origin)
            implements ContextMessage {}

    /** A piece of what somebody said. */
    sealed interface Part {
        record Text(String text) implements Part {}

        /** An image by its name; whoever asks the model reads its bytes. */
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
     * Where a message comes from.
     *
     * @param seqs the entries that it shows; none for what the server says or what the run has only just said
     * @param id the id under which the thread knows it, if it shows one message of the thread
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
