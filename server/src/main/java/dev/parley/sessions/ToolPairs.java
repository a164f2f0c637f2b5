package dev.parley.sessions;

import dev.parley.protocol.Json;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Which messages of a window a model can be shown: models refuse a result whose call they do not see, and a call without
 * its result. A result belongs to the nearest turn before it, in the same run, that made a call of its id: ids repeat from
 * run to run, and results come in any order. A turn and its results stay together or go together.
 */
final class ToolPairs {
    /**
     * What matters of a message for pairing calls with their results.
     *
     * @param run the run it belongs to; null for what belongs to none
     * @param calls the ids of the calls that it makes; a call without one has an empty id, which no result can name
     * @param answers the ids of the calls whose results it brings
     */
    record Turn(@Nullable String run, boolean isResult, List<String> calls, List<String> answers) {
        private static final String TOOL = "tool";

        /** Of a message that came by another face. */
        static Turn of(RevisedMessage message) {
            return new MadeUpMessage(message).turn();
        }

        /** Reads a message of Agno; everything else in it is skipped. */
        static Turn of(@Nullable String run, String message) {
            String role = "";
            Optional<String> answered = Optional.empty();
            List<String> made = List.of();
            List<String> merged = List.of();
            try (JsonParser parser = Json.MAPPER.createParser(message)) {
                parser.nextToken();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String member = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (member.equals("role") && value == JsonToken.VALUE_STRING) {
                        role = parser.getString();
                    } else if (member.equals("tool_call_id") && value == JsonToken.VALUE_STRING) {
                        answered = Optional.of(parser.getString());
                    } else if (member.equals("tool_calls") && value == JsonToken.START_ARRAY) {
                        List<Named> entries = readEntries(parser);
                        made = entries.stream().map(Named::id).toList();
                        merged = entries.stream().map(Named::toolCallId).toList();
                    } else {
                        parser.skipChildren();
                    }
                }
            }
            if (!role.equals(TOOL)) {
                return new Turn(run, false, made, List.of());
            }
            // An older Agno put the results of several calls into one message.
            return new Turn(run, true, List.of(), answered.map(List::of).orElse(merged));
        }

        private record Named(String id, String toolCallId) {}

        private static List<Named> readEntries(JsonParser parser) {
            List<Named> entries = new ArrayList<>();
            JsonToken value;
            while ((value = parser.nextToken()) != JsonToken.END_ARRAY) {
                if (value == JsonToken.START_OBJECT) {
                    entries.add(readEntry(parser));
                } else {
                    parser.skipChildren();
                }
            }
            return entries;
        }

        private static Named readEntry(JsonParser parser) {
            String id = "";
            String toolCallId = "";
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String member = parser.currentName();
                JsonToken value = parser.nextToken();
                if (member.equals("id") && value == JsonToken.VALUE_STRING) {
                    id = parser.getString();
                } else if (member.equals("tool_call_id") && value == JsonToken.VALUE_STRING) {
                    toolCallId = parser.getString();
                } else {
                    parser.skipChildren();
                }
            }
            return new Named(id, toolCallId);
        }
    }

    private final List<Turn> window;
    private final List<List<Integer>> joined;
    private final BitSet broken = new BitSet();

    private ToolPairs(List<Turn> window) {
        this.window = window;
        this.joined = IntStream.range(0, window.size())
                .<List<Integer>>mapToObj(any -> new ArrayList<>())
                .toList();
    }

    /** The places of those that stay. */
    static Set<Integer> safe(List<Turn> window) {
        ToolPairs pairs = new ToolPairs(window);
        pairs.match();
        pairs.spread();
        return IntStream.range(0, window.size())
                .filter(place -> !pairs.broken.get(place))
                .boxed()
                .collect(Collectors.toSet());
    }

    private record CallName(@Nullable String run, String id) {}

    private void match() {
        Map<CallName, Integer> open = new HashMap<>();
        Map<Integer, Set<String>> unanswered = new HashMap<>();
        for (int i = 0; i < window.size(); i++) {
            Turn turn = window.get(i);
            for (String id : turn.calls()) {
                open.put(new CallName(turn.run(), id), i);
                unanswered.computeIfAbsent(i, any -> new HashSet<>()).add(id);
            }
            for (String id : turn.answers()) {
                Integer caller = open.remove(new CallName(turn.run(), id));
                if (caller == null || id.isEmpty()) {
                    broken.set(i);
                } else {
                    Objects.requireNonNull(unanswered.get(caller)).remove(id);
                    joined.get(i).add(caller);
                    joined.get(caller).add(i);
                }
            }
            if (turn.isResult() && turn.answers().isEmpty()) {
                broken.set(i);
            }
        }
        unanswered.forEach((turn, ids) -> broken.set(turn, broken.get(turn) || !ids.isEmpty()));
    }

    private void spread() {
        Deque<Integer> next = new ArrayDeque<>(broken.stream().boxed().toList());
        while (!next.isEmpty()) {
            for (int other : joined.get(next.remove())) {
                if (!broken.get(other)) {
                    broken.set(other);
                    next.add(other);
                }
            }
        }
    }
}
