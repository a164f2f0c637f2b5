package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ToolPairsTest {
    private static ToolTurn says() {
        return new ToolTurn("r", false, List.of(), List.of());
    }

    private static ToolTurn calls(@Nullable String run, String... ids) {
        return new ToolTurn(run, false, List.of(ids), List.of());
    }

    private static ToolTurn answers(@Nullable String run, String... ids) {
        return new ToolTurn(run, true, List.of(), List.of(ids));
    }

    private static List<Integer> safe(ToolTurn... window) {
        return ToolPairs.safe(List.of(window));
    }

    @Test
    void turnStaysWithItsResultsInAnyOrder() {
        assertThat(safe(says(), calls("r", "a", "b"), answers("r", "b"), answers("r", "a"), says()))
                .containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void resultsAtTheStartOfAWindowAreDropped() {
        assertThat(safe(answers("r", "a"), answers("r", "b"), says())).containsExactly(2);
    }

    @Test
    void turnWithoutAllItsResultsIsDroppedWithThem() {
        assertThat(safe(says(), calls("r", "a", "b"), answers("r", "a"))).containsExactly(0);
    }

    @Test
    void resultBeforeItsCallIsDropped() {
        assertThat(safe(answers("r", "a"), calls("r", "a"))).isEmpty();
    }

    @Test
    void idsRepeatFromRunToRun() {
        assertThat(safe(calls("r", "a"), calls("s", "a"), answers("s", "a"))).containsExactly(1, 2);
        assertThat(safe(calls("r", "a"), calls("s", "a"), answers("s", "a"), answers("r", "a")))
                .as("results directly follow their calls")
                .containsExactly(0, 3, 1, 2);
        assertThat(safe(calls("r", "a"), says(), answers("r", "a"), says())).containsExactly(0, 2, 1, 3);
        assertThat(safe(calls(null, "a"), answers("r", "a"))).isEmpty();
        assertThat(safe(calls(null, "a"), answers(null, "a"))).containsExactly(0, 1);
    }

    @Test
    void repeatedIdInOneRunMeansTheNearestTurn() {
        assertThat(safe(calls("r", "a"), answers("r", "a"), calls("r", "a"), answers("r", "a")))
                .containsExactly(0, 1, 2, 3);
        assertThat(safe(calls("r", "a"), calls("r", "a"), answers("r", "a"))).containsExactly(1, 2);
    }

    @Test
    void secondResultOfACallIsDropped() {
        assertThat(safe(calls("r", "a"), answers("r", "a"), answers("r", "a"))).containsExactly(0, 1);
    }

    @Test
    void oneMessageMayHoldSeveralResults() {
        assertThat(safe(calls("r", "a", "b"), answers("r", "a", "b"))).containsExactly(0, 1);
        assertThat(safe(calls("r", "a"), answers("r", "a", "b"))).isEmpty();
        assertThat(safe(calls("r", "a"), calls("r", "b", "c"), answers("r", "a", "b")))
                .isEmpty();
    }

    @Test
    void callsAndResultsWithoutIdsPairWithNothing() {
        assertThat(safe(calls("r", ""), answers("r", ""))).isEmpty();
        assertThat(safe(answers("r"))).isEmpty();
    }

    /** A selection selects itself again, and every call in it has one result. */
    @Test
    void selectionIsComplete() {
        for (long seed = 0; seed < 5_000; seed++) {
            List<ToolTurn> window = window(new Random(seed));
            List<Integer> safe = ToolPairs.safe(window);
            List<ToolTurn> left = safe.stream().map(window::get).toList();

            assertThat(ToolPairs.safe(left).size()).as("seed %s", seed).isEqualTo(left.size());
            Set<List<@Nullable Object>> open = new HashSet<>();
            for (ToolTurn turn : left) {
                for (String id : turn.calls()) {
                    assertThat(open.add(Arrays.asList(turn.run(), id)))
                            .as("seed %s", seed)
                            .isTrue();
                }
                for (String id : turn.answers()) {
                    assertThat(open.remove(Arrays.asList(turn.run(), id)))
                            .as("seed %s", seed)
                            .isTrue();
                }
            }
            assertThat(open).as("seed %s", seed).isEmpty();
            assertThat(IntStream.range(0, window.size())
                            .filter(i -> !window.get(i).isResult()
                                    && window.get(i).calls().isEmpty()))
                    .as("seed %s", seed)
                    .allMatch(safe::contains);
        }
    }

    private static List<ToolTurn> window(Random random) {
        List<ToolTurn> window = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            String run = random.nextBoolean() ? "r" : null;
            String[] ids = IntStream.range(0, 1 + random.nextInt(2))
                    .mapToObj(any -> "" + (char) ('a' + random.nextInt(3)))
                    .distinct()
                    .toArray(String[]::new);
            window.add(
                    switch (random.nextInt(4)) {
                        case 0 -> says();
                        case 1 -> calls(run, ids);
                        default -> answers(run, random.nextBoolean() ? new String[] {ids[0]} : ids);
                    });
        }
        return window;
    }

    private static ToolTurn read(String json) {
        return ToolTurn.of("r", json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void turnsAreReadFromAgnosMessages() {
        assertThat(read("""
                {"content": "", "tool_calls": [{"function": {"name": "f", "id": "no"}, "id": "fc_1", "call_id": "c"},
                 {"id": "图", "type": "function"}, {}], "role": "assistant"}""")).isEqualTo(calls("r", "fc_1", "图", ""));
        assertThat(read("{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"{}\"}"))
                .isEqualTo(answers("r", "a"));
        assertThat(read("""
                {"role": "tool", "tool_call_id": null, "content": ["x", "y"],
                 "tool_calls": [{"tool_call_id": "a", "tool_name": "f", "content": "x"}, {"tool_call_id": "b"}]}""")).isEqualTo(answers("r", "a", "b"));
        assertThat(read("{\"role\":\"user\",\"content\":[{\"tool_call_id\":\"a\"}],\"tool_calls\":null}"))
                .isEqualTo(says());
    }
}
