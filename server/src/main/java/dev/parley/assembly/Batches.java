package dev.parley.assembly;

import dev.parley.assembly.ContextMessage.Assistant;
import dev.parley.assembly.ContextMessage.Call;
import dev.parley.assembly.ContextMessage.Origin;
import dev.parley.assembly.ContextMessage.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts each result directly after its call. A result belongs to the nearest earlier message that made a call with the
 * same id, in any run. A call without a result gets a result that says so, because no provider accepts a call without a
 * result. A result without a call is left out. Only the context changes; the log stays unchanged.
 */
final class Batches {
    static final String NO_RESULT =
            "There is no result of this call. Whether it was carried out is not known; do not assume that it was.";

    private final List<ContextMessage> messages;
    /** The slots of each message that makes calls, by the index of the message. */
    private final Map<Integer, List<Slot>> slots = new HashMap<>();

    private Batches(List<ContextMessage> messages) {
        this.messages = messages;
    }

    /** The same messages, with every result directly after its call. */
    static List<ContextMessage> joined(List<ContextMessage> messages) {
        Batches batches = new Batches(messages);
        batches.pair();
        return batches.inOrder();
    }

    /** A call and its result. */
    private static final class Slot {
        private final Call call;
        private @Nullable ToolResult result;
        private boolean moved;

        Slot(Call call) {
            this.call = call;
        }
    }

    private void pair() {
        Map<String, List<Slot>> nearest = new HashMap<>();
        boolean adjacent = false;
        for (int index = 0; index < messages.size(); index++) {
            switch (messages.get(index)) {
                case Assistant assistant -> {
                    List<Slot> made = assistant.calls().stream().map(Slot::new).toList();
                    Map<String, List<Slot>> byId = new HashMap<>();
                    made.forEach(slot -> byId.computeIfAbsent(slot.call.id(), id -> new ArrayList<>())
                            .add(slot));
                    nearest.putAll(byId);
                    slots.put(index, made);
                    adjacent = true;
                }
                case ToolResult result -> take(result, nearest.getOrDefault(result.callId(), List.of()), adjacent);
                case ContextMessage.SystemBlock system -> adjacent = false;
                case ContextMessage.User user -> adjacent = false;
            }
        }
    }

    /** If one call has several results, the first result counts. */
    private static void take(ToolResult result, List<Slot> calls, boolean adjacent) {
        for (Slot slot : calls) {
            if (slot.result == null) {
                slot.result = result;
                slot.moved = !adjacent;
                return;
            }
        }
    }

    private List<ContextMessage> inOrder() {
        List<ContextMessage> joined = new ArrayList<>();
        for (int index = 0; index < messages.size(); index++) {
            ContextMessage message = messages.get(index);
            if (!(message instanceof ToolResult)) {
                joined.add(message);
                slots.getOrDefault(index, List.of()).forEach(slot -> joined.add(resultOf(slot)));
            }
        }
        return joined;
    }

    private static ToolResult resultOf(Slot slot) {
        ToolResult result = slot.result;
        if (result == null) {
            return new ToolResult(
                    slot.call.id(),
                    slot.call.tool(),
                    NO_RESULT,
                    true,
                    new Origin(List.of(), List.of(Transform.CLOSED), null));
        }
        List<Transform> transforms = new ArrayList<>(result.origin().transforms());
        if (slot.moved) {
            transforms.add(Transform.MOVED);
        }
        String text = result.text();
        if (text.isBlank()) {
            transforms.add(Transform.FILLED);
            text = "(no output)";
        }
        return new ToolResult(
                slot.call.id(),
                slot.call.tool(),
                text,
                result.failed(),
                new Origin(result.origin().seqs(), transforms, result.origin().id()));
    }
}
