package dev.parley.sessions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the messages of a window that a model accepts: models refuse a result without its call, and a call without
 * its result. A result belongs to the nearest turn before it, in the same run, that made a call with the result's id.
 * Ids repeat from run to run, and results come in any order. A turn and its results stay together or are dropped
 * together.
 */
final class ToolPairs {
    private final List<ToolTurn> window;
    private final List<List<Integer>> joined;
    private final BitSet broken = new BitSet();

    private ToolPairs(List<ToolTurn> window) {
        this.window = window;
        this.joined = IntStream.range(0, window.size())
                .<List<Integer>>mapToObj(any -> new ArrayList<>())
                .toList();
    }

    /**
     * The indexes of the messages that stay, in the order in which a model takes them: results directly after their
     * calls.
     */
    static List<Integer> safe(List<ToolTurn> window) {
        ToolPairs pairs = new ToolPairs(window);
        pairs.match();
        pairs.spread();
        return pairs.inOrder();
    }

    /**
     * The order of the remaining messages. Messages that others write while a tool works come after the result of the
     * tool.
     */
    private List<Integer> inOrder() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < window.size(); i++) {
            if (broken.get(i) || window.get(i).isResult()) {
                continue;
            }
            order.add(i);
            int turn = i;
            // A result for calls of several turns follows the last of these turns.
            joined.get(i).stream()
                    .filter(result -> joined.get(result).stream().allMatch(caller -> caller <= turn))
                    .distinct()
                    .sorted()
                    .forEach(order::add);
        }
        return order;
    }

    private record CallName(@Nullable String run, String id) {}

    private void match() {
        Map<CallName, Integer> open = new HashMap<>();
        Map<Integer, Set<String>> unanswered = new HashMap<>();
        for (int i = 0; i < window.size(); i++) {
            ToolTurn turn = window.get(i);
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
