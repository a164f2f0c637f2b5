package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.sdk.PlacedEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunTraceTest {
    private static final RunTrace STREAMED = RunTrace.of(List.of(
            at(1, new RunEvent.Started("t", "r")),
            at(2, new TextEvent.Start("m")),
            at(3, new TextEvent.Content("m", "a")),
            at(4, new TextEvent.Content("m", "b")),
            at(5, new TextEvent.Content("n", "c")),
            at(6, new TextEvent.Content("m", "d")),
            at(9, new RunEvent.Finished("t", "r"))));

    private static PlacedEvent at(long position, AguiEvent event) {
        return new PlacedEvent(position, event);
    }

    @Test
    void neighbouringDeltasOfOneTextMayBePutTogether() {
        RunTrace compacted = RunTrace.of(List.of(
                at(1, new RunEvent.Started("t", "r")),
                at(2, new TextEvent.Start("m")),
                at(4, new TextEvent.Content("m", "ab")),
                at(5, new TextEvent.Content("n", "c")),
                at(6, new TextEvent.Content("m", "d")),
                at(9, new RunEvent.Finished("t", "r"))));
        assertThat(STREAMED.differenceTo(compacted)).isEmpty();
        assertThat(STREAMED.isExactly(compacted)).isFalse();
        assertThat(compacted.texts()).containsEntry("m", "abd").containsEntry("n", "c");
    }

    @Test
    void aMissingPieceAnotherOrderAndAnotherPositionAreFound() {
        List<PlacedEvent> events = STREAMED.events();
        assertThat(STREAMED.differenceTo(RunTrace.of(events.subList(0, 6)))).isPresent();
        List<PlacedEvent> gap =
                events.stream().filter(each -> each.position() != 4).toList();
        assertThat(STREAMED.differenceTo(RunTrace.of(gap))).isPresent();
        List<PlacedEvent> moved = events.stream()
                .map(each -> each.position() == 9 ? at(8, each.event()) : each)
                .toList();
        assertThat(STREAMED.differenceTo(RunTrace.of(moved))).isPresent();
        assertThat(RunTrace.of(events.reversed()).isOrdered()).isFalse();
        assertThat(STREAMED.isOrdered()).isTrue();
    }
}
