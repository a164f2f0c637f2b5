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
 * The events of one run as a stream showed them, and their steps. The steps do not change when neighbouring deltas are
 * joined, which the server does at the end of a run.
 */
record RunTrace(List<PlacedEvent> events, List<Step> steps) {
    /** One step of a run. */
    sealed interface Step {
        /** The joined neighbouring deltas of one text, call or thought. */
        record Text(String of, String text) implements Step {}

        /** Any other event, at its position. */
        record Other(long position, String json) implements Step {}
    }

    static RunTrace of(List<PlacedEvent> events) {
        List<Step> steps = new ArrayList<>();
        for (PlacedEvent placed : events) {
            Step.Text delta = delta(placed.event());
            if (delta == null) {
                steps.add(new Step.Other(placed.position(), AguiJson.write(placed.event())));
            } else if (!steps.isEmpty()
                    && steps.getLast() instanceof Step.Text before
                    && before.of().equals(delta.of())) {
                steps.set(steps.size() - 1, new Step.Text(before.of(), before.text() + delta.text()));
            } else {
                steps.add(delta);
            }
        }
        return new RunTrace(List.copyOf(events), List.copyOf(steps));
    }

    private static Step.@Nullable Text delta(AguiEvent event) {
        return switch (event) {
            case TextEvent.Content text -> new Step.Text("text " + text.messageId(), text.delta());
            case ToolEvent.Args args -> new Step.Text("call " + args.toolCallId(), args.delta());
            case ReasoningEvent.MessageContent thought ->
                new Step.Text("thought " + thought.messageId(), thought.delta());
            default -> null;
        };
    }

    /** The first difference to another trace; empty if there is none. */
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

    /** The streamed texts by message, including messages of which only the start was streamed. */
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

    /** The results of tools, by the id of the message that holds each result. */
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

    /** True if the positions of the events only grow. */
    boolean isOrdered() {
        return IntStream.range(1, events.size())
                .allMatch(i -> events.get(i).position() > events.get(i - 1).position());
    }

    /**
     * True if both traces have the same events at the same positions. Compaction changes the events, but not the steps.
     */
    boolean isExactly(RunTrace other) {
        return Objects.equals(events, other.events);
    }
}
