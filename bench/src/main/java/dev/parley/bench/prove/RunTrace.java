package dev.parley.bench.prove;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.sdk.PlacedEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a stream said of one run, in a form that stays the same when neighbouring deltas are put together, as the server
 * does once a run is over.
 */
record RunTrace(List<PlacedEvent> events, List<Step> steps) {
    /** One part of it. */
    sealed interface Step {
        /** Deltas of one text that follow on each other. */
        record Said(String of, String text) implements Step {}

        /** Any other event, where it stands. */
        record Did(long position, String json) implements Step {}
    }

    static RunTrace of(List<PlacedEvent> events) {
        List<Step> steps = new ArrayList<>();
        for (PlacedEvent placed : events) {
            Step.Said delta = delta(placed.event());
            if (delta == null) {
                steps.add(new Step.Did(placed.position(), AguiJson.write(placed.event())));
            } else if (!steps.isEmpty()
                    && steps.getLast() instanceof Step.Said before
                    && before.of().equals(delta.of())) {
                steps.set(steps.size() - 1, new Step.Said(before.of(), before.text() + delta.text()));
            } else {
                steps.add(delta);
            }
        }
        return new RunTrace(List.copyOf(events), List.copyOf(steps));
    }

    private static Step.@Nullable Said delta(AguiEvent event) {
        return switch (event) {
            case TextEvent.Content text -> new Step.Said("text " + text.messageId(), text.delta());
            case ToolEvent.Args args -> new Step.Said("call " + args.toolCallId(), args.delta());
            case ReasoningEvent.MessageContent thought ->
                new Step.Said("thought " + thought.messageId(), thought.delta());
            default -> null;
        };
    }

    /** Where it differs from another one; empty if nowhere. */
    Optional<String> differenceTo(RunTrace other) {
        int common = Math.min(steps.size(), other.steps.size());
        return IntStream.range(0, common)
                .filter(i -> !steps.get(i).equals(other.steps.get(i)))
                .mapToObj(i -> "step " + i + " is " + steps.get(i) + " against " + other.steps.get(i))
                .findFirst()
                .or(() -> steps.size() == other.steps.size()
                        ? Optional.empty()
                        : Optional.of("it has " + steps.size() + " steps against " + other.steps.size()));
    }

    /** The texts that were streamed, by message, also those of which nothing came but their beginning. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (PlacedEvent placed : events) {
            switch (placed.event()) {
                case TextEvent.Start start -> texts.put(start.messageId(), "");
                case TextEvent.Content content -> texts.merge(content.messageId(), content.delta(), String::concat);
                default -> {}
            }
        }
        return texts;
    }

    /** What tools returned, by the id of the message that it becomes. */
    Map<String, String> results() {
        Map<String, String> results = new LinkedHashMap<>();
        for (PlacedEvent placed : events) {
            if (placed.event() instanceof ToolEvent.Result result) {
                results.put(result.messageId(), result.content().plainText());
            }
        }
        return results;
    }

    List<PlacedEvent> terminals() {
        return events.stream().filter(PlacedEvent::isTerminal).toList();
    }

    /** Whether every event stands behind the one before it. */
    boolean isOrdered() {
        return IntStream.range(1, events.size())
                .allMatch(i -> events.get(i).position() > events.get(i - 1).position());
    }

    /** The same events at the same positions, which compaction would change. */
    boolean isExactly(RunTrace other) {
        return Objects.equals(events, other.events);
    }
}
