package dev.parley.runs.guard;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AttributedEvent;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.MessagesSnapshot;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.protocol.agui.UnknownEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The messages, calls, results and thoughts of a run, assembled from the events that entered the log, in the order in
 * which they began. The same events give the same transcript.
 */
public final class Transcript {
    /** A text, call, result or thought. */
    public sealed interface Item {
        String id();

        Marks marks();
    }

    public record Text(String id, TextRole role, @Nullable String name, String text, Marks marks) implements Item {}

    /** @param arguments the text that the agent wrote, which should be JSON */
    public record Call(
            String id,
            String name,
            String arguments,
            @Nullable String parentMessageId,
            Marks marks) implements Item {}

    /** @param id the id of the tool message */
    public record Result(String id, String toolCallId, Content content, Marks marks) implements Item {}

    public record Reasoning(String id, String text, Marks marks) implements Item {}

    /** @param metadata the metadata of all events of the item, merged key by key; the last value wins, as in clients */
    public record Marks(
            State state,
            @Nullable String subagentRunId,
            @Nullable ObjectNode metadata,
            @Nullable String encryptedValue) {}

    /** The progress of an item. */
    public enum State {
        OPEN,
        COMPLETE,
        /** The run failed or was cancelled while the item was open. */
        CUT
    }

    private enum Kind {
        TEXT,
        CALL,
        RESULT,
        REASONING
    }

    private record Key(Kind kind, String id) {}

    private final SequencedMap<Key, Draft> drafts = new LinkedHashMap<>();
    private final List<ToolEvent.Start> calls = new ArrayList<>();
    private final Map<String, Speaker> speakers = new HashMap<>();
    private final Set<String> answered = new HashSet<>();
    private @Nullable RunEvent ending;
    private long characters;

    Transcript() {}

    public List<Item> items() {
        return drafts.values().stream().map(Draft::item).toList();
    }

    /** The run's terminal event; empty until the run is over. */
    public Optional<RunEvent> ending() {
        return Optional.ofNullable(ending);
    }

    /** The number of characters in the run's texts, for callers that limit this number. */
    public long characters() {
        return characters;
    }

    boolean hasResult(String messageId) {
        return drafts.containsKey(new Key(Kind.RESULT, messageId));
    }

    public boolean hasCall(String id) {
        return drafts.containsKey(new Key(Kind.CALL, id));
    }

    public boolean isAnswered(String call) {
        return answered.contains(call);
    }

    /** All calls, in the order in which they were made. */
    public List<ToolEvent.Start> calls() {
        return Collections.unmodifiableList(calls);
    }

    /** The message that this owner has begun last. */
    public Optional<String> latestMessage(@Nullable String owner) {
        return Optional.ofNullable(speaker(owner).message);
    }

    public boolean hasSpoken(@Nullable String owner) {
        return speaker(owner).hasSpoken;
    }

    public List<CharSequence> thoughts(@Nullable String owner) {
        return Collections.unmodifiableList(speaker(owner).thoughts);
    }

    /**
     * The message to which this owner's next call belongs. The call joins the text or the call before it, unless that
     * call is already answered. Empty if the call begins a message of its own.
     */
    public Optional<String> messageOfNextCall(@Nullable String owner) {
        return Optional.ofNullable(speaker(owner).last).flatMap(last -> switch (last) {
            case TextEvent.Start text -> Optional.of(text.messageId());
            case ToolEvent.Start call when !isAnswered(call.toolCallId()) -> Optional.of(messageOf(call));
            default -> Optional.empty();
        });
    }

    /** A call without a parent message is a message of its own. */
    private static String messageOf(ToolEvent.Start call) {
        return call.parentMessageId() == null ? call.toolCallId() : call.parentMessageId();
    }

    /** Marks all open items as cut, because they will end without being complete. */
    void cutOpenItems() {
        for (Draft draft : drafts.values()) {
            if (draft.state == State.OPEN) {
                draft.state = State.CUT;
            }
        }
    }

    void add(AguiEvent event) {
        switch (event) {
            case TextEvent.Start start -> begin(Kind.TEXT, start.messageId(), start);
            case TextEvent.Content content -> append(Kind.TEXT, content.messageId(), content.delta(), content);
            case TextEvent.End end -> end(Kind.TEXT, end.messageId(), end);
            case ToolEvent.Start start -> begin(Kind.CALL, start.toolCallId(), start);
            case ToolEvent.Args args -> append(Kind.CALL, args.toolCallId(), args.delta(), args);
            case ToolEvent.End end -> end(Kind.CALL, end.toolCallId(), end);
            case ToolEvent.Result result -> {
                begin(Kind.RESULT, result.messageId(), result).state = State.COMPLETE;
                answered.add(result.toolCallId());
                characters += result.content().plainText().length();
            }
            case ReasoningEvent.MessageStart start -> begin(Kind.REASONING, start.messageId(), start);
            case ReasoningEvent.MessageContent content ->
                append(Kind.REASONING, content.messageId(), content.delta(), content);
            case ReasoningEvent.MessageEnd end -> end(Kind.REASONING, end.messageId(), end);
            case ReasoningEvent.EncryptedValue value -> encrypt(value);
            case RunEvent.Finished finished -> ending = finished;
            case RunEvent.Failed failed -> ending = failed;
            // A snapshot also restates messages of other authors; a run's own messages are only the messages that it
            // streams.
            case RunEvent.Started _, MessagesSnapshot _, AttributedEvent _, UnknownEvent _ -> {}
        }
    }

    /** Begins an item. An item that was begun before is continued. */
    private Draft begin(Kind kind, String id, AttributedEvent opener) {
        Draft draft = drafts.computeIfAbsent(new Key(kind, id), key -> {
            speaker(opener.subagentRunId()).begin(opener);
            if (opener instanceof ToolEvent.Start call) {
                calls.add(call);
            }
            return new Draft(opener);
        });
        draft.state = State.OPEN;
        draft.merge(opener);
        return draft;
    }

    private void append(Kind kind, String id, String delta, AguiEvent event) {
        Draft draft = drafts.get(new Key(kind, id));
        if (draft != null) {
            if (!delta.isEmpty()) {
                speaker(draft.opener.subagentRunId()).hear(kind, draft);
            }
            draft.text.append(delta);
            characters += delta.length();
            draft.merge(event);
        }
    }

    private void end(Kind kind, String id, AguiEvent event) {
        Draft draft = drafts.get(new Key(kind, id));
        if (draft != null) {
            draft.state = draft.state == State.CUT ? State.CUT : State.COMPLETE;
            draft.merge(event);
        }
    }

    private void encrypt(ReasoningEvent.EncryptedValue value) {
        List<Kind> kinds = switch (value.subtype()) {
            case TOOL_CALL -> List.of(Kind.CALL);
            case MESSAGE -> List.of(Kind.TEXT, Kind.REASONING, Kind.RESULT);
        };
        kinds.stream()
                .map(kind -> drafts.get(new Key(kind, value.entityId())))
                .filter(draft -> draft != null)
                .findFirst()
                .ifPresent(draft -> draft.encryptedValue = value.encryptedValue());
    }

    private Speaker speaker(@Nullable String owner) {
        return speakers.computeIfAbsent(owner == null ? "" : owner, key -> new Speaker());
    }

    /** The facts about the run's agent, or about one of its subagents, that are updated with every event. */
    private static final class Speaker {
        private @Nullable AttributedEvent last;
        private @Nullable String message;
        private boolean hasSpoken;
        private final List<CharSequence> thoughts = new ArrayList<>();

        void begin(AttributedEvent opener) {
            last = opener;
            if (opener instanceof TextEvent.Start text) {
                message = text.messageId();
            } else if (opener instanceof ToolEvent.Start call) {
                message = messageOf(call);
            }
        }

        /** Notes a delta, which may be the item's first. */
        void hear(Kind kind, Draft draft) {
            hasSpoken |= kind == Kind.TEXT;
            if (kind == Kind.REASONING && draft.isEmpty()) {
                thoughts.add(draft.text);
            }
        }
    }

    /** An item while it is being streamed. */
    private static final class Draft {
        private final AttributedEvent opener;
        private final StringBuilder text = new StringBuilder();
        private State state = State.OPEN;
        private @Nullable ObjectNode metadata;
        private @Nullable String encryptedValue;

        Draft(AttributedEvent opener) {
            this.opener = opener;
        }

        boolean isEmpty() {
            return text.isEmpty();
        }

        void merge(AguiEvent event) {
            ObjectNode more = event.common().metadata();
            if (more != null) {
                metadata = metadata == null ? Json.MAPPER.createObjectNode() : metadata;
                metadata.setAll(more);
            }
        }

        Item item() {
            Marks marks = new Marks(
                    state, opener.subagentRunId(), metadata == null ? null : metadata.deepCopy(), encryptedValue);
            return switch (opener) {
                case TextEvent.Start start ->
                    new Text(start.messageId(), start.effectiveRole(), start.name(), text.toString(), marks);
                case ToolEvent.Start start ->
                    new Call(start.toolCallId(), start.toolCallName(), text.toString(), start.parentMessageId(), marks);
                case ToolEvent.Result result ->
                    new Result(result.messageId(), result.toolCallId(), result.content(), marks);
                case ReasoningEvent.MessageStart start -> new Reasoning(start.messageId(), text.toString(), marks);
                default -> throw new IllegalStateException(opener.type() + " begins no item");
            };
        }
    }
}
